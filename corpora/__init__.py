"""What is searched and what is true: the records every other package speaks, the store they lie in,
and the corpora that ship with the product.
"""
