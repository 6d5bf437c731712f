import com.fasterxml.jackson.databind.*;
import java.io.*;
import java.math.BigDecimal;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.*;

/**
 * Maintains a ledger of all purchase orders in one file: the status of each, and the amount on which buyer and vendor agreed. Starts from
 * po.state.v1 and follows po.transitions.v1. May be killed at any time: ledger and positions are replaced atomically.
 */
public class Ledger {
  record Order(int poVersion, int statusId, String currency, String agreed) {}
  record Content(Map<Integer, Long> positions, Map<String, Order> orders) {}
  static final String BROKERS = System.getenv().getOrDefault("KAFKA_BROKERS", "127.0.0.1:9092");
  static final Path FILE = Path.of(System.getenv().getOrDefault("LEDGER_FILE", "ledger.json"));
  static final String GROUP = System.getenv().getOrDefault("GROUP", "example-java"), DEAD_LETTERS = GROUP + ".dlq.v1";
  static final String STATE = "po.state.v1", TRANSITIONS = "po.transitions.v1", LARGEST = String.valueOf(10 * 1024 * 1024);
  static final Map<String, String> STATUS_FIELDS = Map.of("po.state-changed.v1", "statusId", "po.transitioned.v1", "toStatusId");
  static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  static KafkaConsumer<byte[], byte[]> consumer;
  static KafkaProducer<byte[], byte[]> producer;
  static Content ledger;
  public static void main(String... arguments) throws Exception {
    Map<String, Object> kafka = Map.of("bootstrap.servers", BROKERS, "request.timeout.ms", 10_000, "default.api.timeout.ms", 10_000,
        "enable.auto.commit", false, "auto.offset.reset", "none", "acks", "all", "max.request.size", LARGEST);
    try (Admin admin = Admin.create(kafka)) {
      NewTopic topic = new NewTopic(DEAD_LETTERS, Optional.of(3), Optional.empty()).configs(Map.of("max.message.bytes", LARGEST));
      admin.createTopics(List.of(topic)).all().get();
    } catch (Exception error) {
      if (!(error.getCause() instanceof TopicExistsException)) {
        System.err.println("Kafka at " + BROKERS + ": " + error.getMessage());
        System.exit(1);
      }
    }
    consumer = new KafkaConsumer<>(kafka, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    producer = new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer());
    Map<Integer, Long> first = new TreeMap<>(), end = new TreeMap<>();
    consumer.beginningOffsets(partitions(TRANSITIONS)).forEach((each, offset) -> first.put(each.partition(), offset));
    consumer.endOffsets(partitions(TRANSITIONS)).forEach((each, offset) -> end.put(each.partition(), offset));
    ledger = Files.exists(FILE) ? JSON.readValue(FILE.toFile(), Content.class) : null;
    if (ledger != null && first.keySet().stream().allMatch(
        each -> ledger.positions.getOrDefault(each, -1L) >= first.get(each) && ledger.positions.get(each) <= end.get(each))) {
      System.err.println("goes on with " + ledger.orders.size() + " orders");
    } else {
      // No usable ledger. Reads from the first transition: some happen while the states are read, and versions drop those already in them.
      ledger = new Content(first, new TreeMap<>());
      List<TopicPartition> states = partitions(STATE);
      Map<TopicPartition, Long> ends = consumer.endOffsets(states);
      consumer.assign(states);
      consumer.seekToBeginning(states);
      while (states.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) take(consumer.poll(Duration.ofSeconds(1)));
      save();
      System.err.println("begins with " + ledger.orders.size() + " orders");
    }
    consumer.assign(partitions(TRANSITIONS));
    ledger.positions.forEach((partition, offset) -> consumer.seek(new TopicPartition(TRANSITIONS, partition), offset));
    while (true) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofSeconds(1));
      take(records);
      records.forEach(record -> ledger.positions.put(record.partition(), record.offset() + 1));
      if (records.count() > 0) save();
    }
  }

  static void take(ConsumerRecords<byte[], byte[]> records) throws Exception {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        enter(record);
      } catch (Exception error) { // enter uses no external system, so any error is caused by the record.
        setAside(record, String.valueOf(error.getMessage()));
      }
    }
  }

  /** Ignores all other fields: fields, actions and statuses may be added without notice. */
  static void enter(ConsumerRecord<byte[], byte[]> record) throws IOException {
    var type = record.headers().lastHeader("ce_type");
    String statusField = STATUS_FIELDS.get(type == null ? "" : new String(type.value()));
    if (statusField == null) throw new IllegalArgumentException("ce_type is missing or unknown");
    JsonNode order = JSON.readTree(record.value() == null ? new byte[0] : record.value()), lines = order.at("/agreed/lines");
    JsonNode version = order.required("poVersion"), status = order.required(statusField);
    if (!version.isInt() || !status.isInt()) throw new IllegalArgumentException("version or status is not an integer");
    String poRef = order.required("poRef").asText(), currency = order.required("currency").asText();
    Order known = ledger.orders.getOrDefault(poRef, new Order(0, 0, currency, null));
    // Records are delivered at least once. A consumer without versions drops records with a known ce_id. After a restore: see the README.
    if (version.asInt() <= known.poVersion) return;
    BigDecimal sum = BigDecimal.valueOf(0, 4);
    for (JsonNode line : lines)
      sum = sum.add(new BigDecimal(line.required("qty").asText()).multiply(new BigDecimal(line.required("unitPrice").asText())));
    String agreed = lines.isMissingNode() ? known.agreed : sum.toPlainString();
    ledger.orders.put(poRef, new Order(version.asInt(), status.asInt(), currency, agreed));
  }

  /** Copies a bad record to the dead-letter topic, so that it neither blocks later records nor is lost: stored before the position is. */
  static void setAside(ConsumerRecord<byte[], byte[]> record, String reason) throws Exception {
    var letter = new ProducerRecord<>(DEAD_LETTERS, null, record.key(), record.value(), record.headers());
    var origin = Map.of("topic", record.topic(), "partition", record.partition(), "offset", record.offset(), "reason", reason);
    origin.forEach((name, value) -> letter.headers().add("x-dlq-" + name, value.toString().getBytes()));
    producer.send(letter).get();
    System.err.println("set aside " + origin);
  }

  static List<TopicPartition> partitions(String topic) {
    return consumer.partitionsFor(topic).stream().map(each -> new TopicPartition(topic, each.partition())).toList();
  }

  static void save() throws IOException {
    Path fresh = Path.of(FILE + ".new");
    JSON.writeValue(fresh.toFile(), ledger);
    Files.move(fresh, FILE, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
