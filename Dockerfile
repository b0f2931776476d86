# The standalone reference server: docker build -t contentgen . && docker run --rm -p 127.0.0.1:4010:4010 contentgen
# Builds and packs these sources. To install a tarball that is already built and tested, replace this stage with its
# folder: docker build --build-context package=FOLDER .
FROM --platform=$BUILDPLATFORM node:26-slim@sha256:c0753125a3789977aefe869cbebccf70e3cfd7ea84ca48547458f02e4f1d7146 AS package
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /

# The package is the same for every processor, so the builder's own installs it.
FROM --platform=$BUILDPLATFORM node:26-slim@sha256:c0753125a3789977aefe869cbebccf70e3cfd7ea84ca48547458f02e4f1d7146 AS install
COPY --from=package /contentgen-*.tgz /tmp/
RUN npm install --global --prefix /image/usr/local /tmp/contentgen-*.tgz && mkdir /image/data

# Runs no command, so building for another processor needs no emulator.
FROM node:26-alpine@sha256:ef24c5053d50fdc3e4e56eb4e7ddb7861874ab0fdc797046ba897581deb8e868
LABEL org.opencontainers.image.source=https://github.com/contentgen/contentgen \
    org.opencontainers.image.description="Reference server for the ContentGen API" \
    org.opencontainers.image.licenses=MIT
COPY --from=install /image/usr /usr
COPY --from=install --chown=node:node /image/data /data
USER node
ENV NODE_ENV=production
VOLUME /data
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=3s --start-period=5s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:4010/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["contentgen"]
CMD ["mock", "--host", "0.0.0.0", "--data", "/data/contentgen.db", "--allow-network=172.16.0.0/12,192.168.0.0/16,10.88.0.0/16"]
