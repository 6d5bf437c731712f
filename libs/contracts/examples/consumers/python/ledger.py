"""Maintains a ledger of all purchase orders in one file: the status of each, and the amount on which buyer and vendor agreed.

Starts from po.state.v1 and follows po.transitions.v1. May be killed at any time: ledger and positions are replaced atomically.
"""

import json
import os
import sys
from decimal import Decimal

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

BROKERS = os.environ.get("KAFKA_BROKERS", "127.0.0.1:9092")
GROUP = os.environ.get("GROUP", "example-python")
FILE = os.environ.get("LEDGER_FILE", "ledger.json")
STATE, TRANSITIONS, DEAD_LETTERS = "po.state.v1", "po.transitions.v1", f"{GROUP}.dlq.v1"
STATUS_FIELDS = {"po.state-changed.v1": "statusId", "po.transitioned.v1": "toStatusId"}
FIRST, END, LARGEST = 0, 1, 10 * 1024 * 1024
KAFKA = {"bootstrap.servers": BROKERS, "log_level": 2}
WHOLE = {"enable.auto.commit": False, "auto.offset.reset": "error", "enable.partition.eof": True}
consumer = Consumer({**KAFKA, **WHOLE, "group.id": GROUP})
producer = Producer({**KAFKA, "acks": "all", "message.max.bytes": LARGEST})
admin = AdminClient(KAFKA)


def main():
    first, end = offsets(TRANSITIONS, FIRST), offsets(TRANSITIONS, END)
    topic = NewTopic(DEAD_LETTERS, 3, config={"max.message.bytes": str(LARGEST)})
    error = admin.create_topics([topic])[DEAD_LETTERS].exception()
    if error and error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
        raise error
    ledger = json.load(open(FILE)) if os.path.exists(FILE) else None
    if ledger and all(offset <= ledger["positions"].get(partition, -1) <= end[partition] for partition, offset in first.items()):
        print(f"goes on with {len(ledger['orders'])} orders", file=sys.stderr)
    else:
        # There is no ledger, it missed transitions that were deleted, or the topic is a new one. Reads transitions from the first available
        # one: starting now would miss those that happen while the states are read. Those already in the states are dropped by version.
        ledger = {"positions": first, "orders": {}}
        for records in batches(STATE, offsets(STATE, FIRST), to_end=True):
            take(ledger, records)
        save(ledger)
        print(f"begins with {len(ledger['orders'])} orders", file=sys.stderr)
    for records in batches(TRANSITIONS, ledger["positions"], to_end=False):
        take(ledger, records)
        ledger["positions"].update({str(record.partition()): record.offset() + 1 for record in records})
        save(ledger)


def take(ledger, records):
    for record in records:
        try:
            enter(ledger["orders"], record)
        except Exception as error:  # enter uses no external system, so any error is caused by the record.
            set_aside(record, f"{type(error).__name__}: {error}")


def enter(orders, record):
    """Ignores all other fields: fields, actions and statuses may be added without notice."""
    event = dict(record.headers() or []).get("ce_type", b"").decode()
    if event not in STATUS_FIELDS:
        raise ValueError(f'unknown ce_type "{event}"')
    order = json.loads(record.value(), parse_float=Decimal)
    version, status = order["poVersion"], order[STATUS_FIELDS[event]]
    if not isinstance(version, int) or not isinstance(status, int):
        raise ValueError("version or status is not an integer")
    known = orders.get(order["poRef"], {"poVersion": 0, "agreed": None})
    # Records are delivered at least once. A consumer without versions drops records with a known ce_id. After a restore: see the README.
    if version > known["poVersion"]:
        lines = (order.get("agreed") or {}).get("lines")
        agreed = f"{sum(line['qty'] * Decimal(line['unitPrice']) for line in lines):.4f}" if lines else known["agreed"]
        orders[order["poRef"]] = {"poVersion": version, "statusId": status, "currency": order["currency"], "agreed": agreed}


def set_aside(record, reason):
    """Copies a bad record to the dead-letter topic, so that it neither blocks later records nor is lost: stored before the position is."""
    origin = {"topic": record.topic(), "partition": record.partition(), "offset": record.offset(), "reason": reason[:1000]}
    print(f"set aside {origin}", file=sys.stderr)
    headers = (record.headers() or []) + [(f"x-dlq-{name}", str(value)) for name, value in origin.items()]
    reports = []
    producer.produce(DEAD_LETTERS, record.value(), record.key(), headers=headers, on_delivery=lambda *report: reports.append(report))
    producer.flush()
    if reports[0][0]:
        raise KafkaException(reports[0][0])


def batches(topic, positions, to_end):
    consumer.assign([TopicPartition(topic, int(partition), offset) for partition, offset in positions.items()])
    unfinished = set(positions)
    while unfinished or not to_end:
        records = []
        for record in consumer.consume(500, timeout=1):
            if not record.error():
                records.append(record)
            elif record.error().code() == KafkaError._PARTITION_EOF:
                unfinished.discard(str(record.partition()))
            else:
                raise KafkaException(record.error())
        if records:
            yield records


def offsets(topic, which):
    partitions = consumer.list_topics(topic, timeout=10).topics[topic].partitions
    return {str(each): consumer.get_watermark_offsets(TopicPartition(topic, each), timeout=10)[which] for each in partitions}


def save(ledger):
    with open(f"{FILE}.new", "w") as file:
        json.dump(ledger, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{FILE}.new", FILE)


try:
    main()
except KafkaException as error:
    sys.exit(f"Kafka at {BROKERS}: {error}")
