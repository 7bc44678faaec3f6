package io.postroad.servers;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * One connection to a broker that can ask for metadata and create a topic.
 *
 * <p>Speaks the protocol itself, because every Kafka client we test brings a version of its own and
 * this module must not bring another. The versions used are the last ones with plain (not compact)
 * encodings that brokers from 2.4 to 4.x understand.
 */
final class KafkaWire implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(10).toMillis();
  private static final int METADATA = 3;
  private static final int CREATE_TOPICS = 19;
  private static final int VERSION = 4;

  private final Socket socket = new Socket();

  KafkaWire(String host, int port) throws IOException {
    socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
  }

  /** Metadata of a cluster and one topic, as a broker has it. */
  record Metadata(String clusterId, int brokers, int partitionsWithLeader) {}

  /** The answer to a request for one topic; {@code code} 0 is success. */
  record Created(int code, String message) {}

  private interface Body {
    void writeTo(DataOutputStream out) throws IOException;
  }

  /** Asks for the cluster and, unless the name is empty, for a topic. */
  Metadata metadata(String topic) throws IOException {
    DataInputStream in =
        ask(
            METADATA,
            out -> {
              out.writeInt(topic.isEmpty() ? 0 : 1);
              if (!topic.isEmpty()) {
                writeString(out, topic);
              }
              out.writeBoolean(false); // do not create it
            });
    in.readInt(); // throttled for
    int brokers = in.readInt();
    for (int i = 0; i < brokers; i++) {
      in.readInt(); // id
      readString(in); // host
      in.readInt(); // port
      readString(in); // rack
    }
    String clusterId = readString(in);
    in.readInt(); // controller
    return new Metadata(clusterId, brokers, in.readInt() == 0 ? 0 : partitionsWithLeader(in));
  }

  private static int partitionsWithLeader(DataInputStream in) throws IOException {
    in.readShort(); // error
    readString(in); // name
    in.readBoolean(); // internal
    int partitions = in.readInt();
    int withLeader = 0;
    for (int i = 0; i < partitions; i++) {
      in.readShort(); // error
      in.readInt(); // index
      withLeader += in.readInt() >= 0 ? 1 : 0;
      in.skipNBytes(4L * in.readInt()); // replicas
      in.skipNBytes(4L * in.readInt()); // in sync
    }
    return withLeader;
  }

  Created createTopic(String topic, int partitions) throws IOException {
    DataInputStream in =
        ask(
            CREATE_TOPICS,
            out -> {
              out.writeInt(1);
              writeString(out, topic);
              out.writeInt(partitions);
              out.writeShort(-1); // the broker's default replication factor
              out.writeInt(0); // no assignments
              out.writeInt(0); // no settings
              out.writeInt(TIMEOUT_MILLIS);
              out.writeBoolean(false); // not only validate
            });
    in.readInt(); // throttled for
    in.readInt(); // one topic
    readString(in);
    return new Created(in.readShort(), readString(in));
  }

  private DataInputStream ask(int api, Body body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream request = new DataOutputStream(bytes);
    request.writeShort(api);
    request.writeShort(VERSION);
    request.writeInt(api); // correlation
    writeString(request, "postroad-servers");
    body.writeTo(request);

    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.writeInt(bytes.size());
    bytes.writeTo(out);
    out.flush();
    DataInputStream in = new DataInputStream(socket.getInputStream());
    in.readInt(); // size
    in.readInt(); // correlation
    return in;
  }

  private static void writeString(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  /** Reads a string; null on the wire becomes empty. */
  private static String readString(DataInputStream in) throws IOException {
    int length = in.readShort();
    return length < 0 ? "" : new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
