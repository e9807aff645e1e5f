# docker build -t schedsolve . && docker run --rm schedsolve make demo (or make test)
FROM python:3.11-slim

RUN apt-get update \
 && apt-get install --yes --no-install-recommends git make \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /schedsolve
COPY . .
RUN make setup
ENV PATH="/schedsolve/.venv/bin:${PATH}"

CMD ["schedsolve", "--help"]
