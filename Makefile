# Everything a fresh machine needs is set up by `make demo` and `make test` themselves.
VERSIONS = 3.2 5.2

.PHONY: demo setup test

demo: setup
	@.venv/bin/skillnb demo $(VERSIONS)

test: setup
	@.ci/check

setup:
	@.ci/setup
