# syntax=docker/dockerfile:1

# The wheel is made and installed in one image, and only what was installed goes into the other.
FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /source
COPY . .
RUN python -m venv /opt/mcp-compliance && /opt/mcp-compliance/bin/pip install .

FROM python:3.13-slim
LABEL org.opencontainers.image.title="mcp-compliance" \
      org.opencontainers.image.description="Find out whether an MCP server keeps the specification" \
      org.opencontainers.image.licenses="MIT AND CC-BY-4.0"
# In a container standard output is no terminal; whatever encoding the system names, reports are UTF-8.
ENV PATH=/opt/mcp-compliance/bin:$PATH PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1
COPY --from=build /opt/mcp-compliance /opt/mcp-compliance
RUN useradd --uid 10001 --no-create-home --home-dir /work --shell /usr/sbin/nologin tester \
 && mkdir /work && chown tester:tester /work
USER 10001
WORKDIR /work
ENTRYPOINT ["mcp-compliance"]
CMD ["--help"]
