# Stand-ins for the registry images that docker-compose.yml and deploy/Dockerfile name: one stage each.
# The programs come from --build-context folders, everything else from Debian's packages.
FROM po-test/node-base AS node
COPY --from=node-program node /usr/local/bin/
COPY --from=npm . /usr/local/lib/node_modules/npm
COPY --from=npm-settings . /usr/local/etc/
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
CMD ["node"]

FROM po-test/stores-base AS kafka
RUN useradd --uid 1000 --create-home appuser \
  && mkdir -p /opt/kafka/bin /opt/kafka/config /etc/kafka/docker /etc/kafka/secrets /mnt/shared/config /var/lib/kafka/data \
  && chown -R appuser:root /opt/kafka /etc/kafka /mnt/shared/config /var/lib/kafka
COPY --from=kafka-jars . /opt/kafka/libs
COPY --chmod=755 kafka-broker-api-versions.sh /opt/kafka/bin/
COPY --chmod=755 kafka-run.sh /etc/kafka/docker/run
COPY log4j2.yaml /etc/kafka/docker/log4j2.yaml
COPY log4j2.yaml /etc/kafka/docker/tools-log4j2.yaml
USER appuser
EXPOSE 9092
VOLUME ["/etc/kafka/secrets", "/var/lib/kafka/data", "/mnt/shared/config"]
CMD ["/etc/kafka/docker/run"]

FROM po-test/stores-base AS postgres
RUN groupadd --gid 999 postgres && useradd --uid 999 --gid 999 --home-dir /var/lib/postgresql --create-home postgres \
  && mkdir /docker-entrypoint-initdb.d
COPY --from=postgres-programs . /usr/local/postgresql
COPY --chmod=755 postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
ENV PATH=/usr/local/postgresql/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin PGDATA=/var/lib/postgresql/18/docker PGHOST=/tmp
VOLUME /var/lib/postgresql
ENTRYPOINT ["docker-entrypoint.sh"]
STOPSIGNAL SIGINT
EXPOSE 5432
CMD ["postgres"]

FROM po-test/stores-base AS redis
COPY --chmod=755 redis-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
VOLUME /data
WORKDIR /data
ENTRYPOINT ["docker-entrypoint.sh"]
EXPOSE 6379
CMD ["redis-server"]

FROM scratch AS mailpit
WORKDIR /tmp
COPY --from=tools mailpit /mailpit
EXPOSE 1025/tcp 1110/tcp 8025/tcp
HEALTHCHECK --interval=15s --start-period=10s --start-interval=1s CMD ["/mailpit", "readyz"]
ENTRYPOINT ["/mailpit"]
