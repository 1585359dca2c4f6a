"""Property tests draw the same examples on every run, so that a red build is red again.

``pytest --hypothesis-profile=explore`` draws new ones, ten times as many.
"""

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile("fixed")
