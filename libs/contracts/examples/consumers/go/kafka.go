package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

const largest = 10 << 20

var brokers = cmp.Or(os.Getenv("KAFKA_BROKERS"), "127.0.0.1:9092")
var deadLetters = cmp.Or(os.Getenv("GROUP"), "example-go") + ".dlq.v1"
var file = cmp.Or(os.Getenv("LEDGER_FILE"), "ledger.json")
var ctx = context.Background()

// Next offset by partition.
type positions map[int32]int64

func (at positions) reached(wanted positions) bool {
	for partition, offset := range wanted {
		if next, ok := at[partition]; !ok || next < offset {
			return false
		}
	}
	return true
}

type kafka struct {
	client *kgo.Client
	admin  *kadm.Client
}

func connect() kafka {
	seeds, noReset := kgo.SeedBrokers(strings.Split(brokers, ",")...), kgo.ConsumeResetOffset(kgo.NoResetOffset())
	client := must(kgo.NewClient(seeds, noReset, kgo.ProducerBatchMaxBytes(largest)))
	must(0, client.Ping(ctx))
	admin, limit := kadm.NewClient(client), fmt.Sprint(largest)
	// Fails if the topic already exists.
	_, _ = admin.CreateTopic(ctx, 3, -1, map[string]*string{"max.message.bytes": &limit}, deadLetters)
	return kafka{client, admin}
}

// Passes records from these positions on to enter and advances the positions; checks isDone after each batch.
func (to kafka) read(topic string, at positions, enter func(*kgo.Record) error, isDone func() bool) {
	offsets := map[int32]kgo.Offset{}
	for partition, offset := range at {
		offsets[partition] = kgo.NewOffset().At(offset)
	}
	to.client.AddConsumePartitions(map[string]map[int32]kgo.Offset{topic: offsets})
	defer to.client.PurgeTopicsFromConsuming(topic)
	for !isDone() {
		fetches := to.client.PollFetches(ctx)
		must(0, fetches.Err())
		fetches.EachRecord(func(record *kgo.Record) {
			// enter uses no external system, so any error is caused by the record.
			if err := enter(record); err != nil {
				to.setAside(record, err.Error())
			}
			at[record.Partition] = record.Offset + 1
		})
	}
}

// Copies a bad record to the dead-letter topic, so that it neither blocks later records nor is lost: stored before the position is.
func (to kafka) setAside(record *kgo.Record, reason string) {
	letter := kgo.Record{Topic: deadLetters, Key: record.Key, Value: record.Value, Headers: record.Headers}
	origin := map[string]any{"topic": record.Topic, "partition": record.Partition, "offset": record.Offset, "reason": reason}
	for name, value := range origin {
		letter.Headers = append(letter.Headers, kgo.RecordHeader{Key: "x-dlq-" + name, Value: []byte(fmt.Sprint(value))})
	}
	must(0, to.client.ProduceSync(ctx, &letter).FirstErr())
	log.Print("set aside ", origin)
}

func (to kafka) firstOffsets(topic string) positions {
	return positionsOf(must(to.admin.ListStartOffsets(ctx, topic)))
}

func (to kafka) endOffsets(topic string) positions {
	return positionsOf(must(to.admin.ListEndOffsets(ctx, topic)))
}

func positionsOf(listed kadm.ListedOffsets) positions {
	at := positions{}
	listed.Each(func(each kadm.ListedOffset) { at[each.Partition] = each.Offset })
	return at
}

func typeOf(record *kgo.Record) string {
	for _, header := range record.Headers {
		if header.Key == "ce_type" {
			return string(header.Value)
		}
	}
	return ""
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatalf("Kafka at %s, or %s: %v", brokers, file, err)
	}
	return value
}
