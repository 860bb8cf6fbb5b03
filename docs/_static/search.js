// A site that was opened from a disk may not fetch its own pages: the list of results stands without excerpts from them.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
