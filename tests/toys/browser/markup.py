"""Text that is a script, a picture, Markdown, mathematics and SQL, and what it may not become."""

HOSTILE = (
    "<script>window.pwned=1</script> <img src=x onerror=window.pwned=1> <i>i</i> **b** ~~s~~ &lt; "
    "[l](javascript:window.pwned=1) :red[r] :material/home: $x$ \" -- '); DROP TABLE ratings; --"
)
MARKUP = """[data-testid=stMarkdownContainer] :is(
    img, script, i, em, del, .katex, [data-testid=stIconMaterial], a[href^=javascript])"""
