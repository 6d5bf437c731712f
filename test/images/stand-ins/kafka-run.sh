#!/bin/sh
# As in the official image: Kafka's own program reads KAFKA_* and formats an empty volume, then the broker starts.
set -eu
export CLUSTER_ID="${CLUSTER_ID:-5L6g3nShT-eMCtK--X86sw}"
if ! output=$(java -cp '/opt/kafka/libs/*' kafka.docker.KafkaDockerWrapper setup --default-configs-dir /etc/kafka/docker \
  --mounted-configs-dir /mnt/shared/config --final-configs-dir /opt/kafka/config 2>&1); then
  echo "$output"
  case $output in *'already formatted'*) ;; *) exit 1 ;; esac
fi
# shellcheck disable=SC2086 # Several arguments.
exec java ${KAFKA_HEAP_OPTS:--Xmx1G -Xms1G} -XX:+UseG1GC -Djava.awt.headless=true -cp '/opt/kafka/libs/*' \
  kafka.Kafka /opt/kafka/config/server.properties
