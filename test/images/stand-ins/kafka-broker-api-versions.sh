#!/bin/sh
# Sends a request to the broker, as Kafka's program of this name does; its package is not installed here.
exec java -Xmx256M -cp '/opt/kafka/libs/*' kafka.admin.ConfigCommand --describe --entity-type brokers --entity-name 1 "$@"
