"""A page of the built book, as a reader has it who opened the site from a disk and has no network."""


def opened(browser, site, name, wrong):
    """A tab with the page; what is said on the console, or asked for elsewhere, goes to what is wrong."""
    page = browser.new_page()
    page.on("console", lambda message: wrong.append(f"{name}: on the console: {message.text}"))
    page.on("pageerror", lambda error: wrong.append(f"{name}: {error}"))
    page.on("request", lambda request: inside(request.url, site) or wrong.append(f"{name} asks for {request.url}"))
    page.goto(site.joinpath(f"{name}.html").as_uri())
    return page


def inside(url, site):
    """The site's own files, and the worker, which pages make themselves."""
    return url.startswith((f"{site.as_uri()}/", "blob:"))
