# syntax=docker/dockerfile:1

# Almanac as one static program in an image without a shell.
#
#   docker build --build-arg VERSION=1.2.3 -t almanac .
#   docker run -p 127.0.0.1:8080:8080 -v almanac:/data almanac          # prints how to get in
#   docker run -p 127.0.0.1:8080:8080 -v almanac:/data -e ALMANAC_DEMO=true almanac   # with sample data, and its token
#
# Orchestrators that ask /healthz and /readyz themselves can leave the health check out.

# The compiler runs on the builder's own architecture and compiles for the target's, which needs no emulation.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETOS
ARG TARGETARCH
WORKDIR /src
# The modules are a layer of their own, so a change of the code does not load them again.
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ARG VERSION=dev
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -tags grpcnotrace -buildvcs=false -trimpath -gcflags=all=-dwarf=false -ldflags "-s -w -X main.built=$VERSION" \
    -o /out/almanac .
# A new volume takes owner and mode of the folder it is mounted on.
RUN mkdir -m 0700 /out/data

# Certificates and an unprivileged user, and nothing else. Zone data is in the program.
FROM gcr.io/distroless/static:nonroot
ARG VERSION=dev
LABEL org.opencontainers.image.title="Almanac" \
      org.opencontainers.image.description="One typed GraphQL API for everything a personal assistant knows" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION"
COPY --from=build /out/almanac /usr/local/bin/almanac
COPY --from=build --chown=65532:65532 /out/data /data
COPY LICENSE NOTICE THIRD_PARTY.txt /usr/share/doc/almanac/
# By number, so that an orchestrator can see that it is not root.
USER 65532:65532
# All addresses of the container; what is open outside is decided by whoever runs it.
ENV ALMANAC_DATA_DIR=/data ALMANAC_ADDR=0.0.0.0:8080
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=6s --start-period=20s --retries=3 CMD ["/usr/local/bin/almanac", "health"]
ENTRYPOINT ["/usr/local/bin/almanac"]
CMD ["serve"]
