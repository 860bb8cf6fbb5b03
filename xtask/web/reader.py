"""Opens a page of the built book from a disk, without a network."""


def open_page(browser, site, name, faults):
    """Opens a page and adds console messages, errors and requests outside the site to `faults`."""
    page = browser.new_page()
    page.on("console", lambda message: faults.append(f"{name}: on the console: {message.text}"))
    page.on("pageerror", lambda error: faults.append(f"{name}: {error}"))
    page.on("request", lambda request: is_local(request.url, site) or faults.append(f"{name} asks for {request.url}"))
    page.goto(site.joinpath(f"{name}.html").as_uri())
    return page


def is_local(url, site):
    """Returns whether an address is a file of the site or a blob, as the pages' worker is."""
    return url.startswith((f"{site.as_uri()}/", "blob:"))
