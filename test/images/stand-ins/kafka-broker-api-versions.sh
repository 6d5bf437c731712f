#!/bin/sh
# Asks the broker something, as that program does, which is not among the packages here.
exec java -Xmx256M -cp '/opt/kafka/libs/*' kafka.admin.ConfigCommand --describe --entity-type brokers --entity-name 1 "$@"
