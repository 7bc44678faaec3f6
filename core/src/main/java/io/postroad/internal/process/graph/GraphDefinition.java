package io.postroad.internal.process.graph;

import io.postroad.internal.process.record.RecordMaps;
import io.postroad.message.JsonCodec;
import io.postroad.process.Node;
import io.postroad.process.ProcessGraph;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A graph as text, stored so that processes finish on it after the code has changed. Predicates and
 * inputs are not in it: they come from the code, by the name of their condition or step.
 *
 * <p>The same graph always has the same text and hash. A changed body of a predicate does not
 * change the hash. Immutable.
 *
 * @param hash the SHA-256 of the text in hexadecimal digits, all 64 of them
 * @param json the text
 */
public record GraphDefinition(String hash, String json) {
  /** The format of the text. */
  private static final int FORMAT = 1;

  public static GraphDefinition of(ProcessGraph graph) {
    GraphData data =
        new GraphData(
            FORMAT,
            graph.processType(),
            graph.first(),
            graph.deadline(),
            List.copyOf(graph.nodes()));
    String json = CanonicalJson.of(RecordMaps.toMap(data, GraphData.class));
    return new GraphDefinition(hash(json), json);
  }

  private static String hash(String json) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(json.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  /**
   * Reads the graph of a text, with the functions of the code.
   *
   * @param current the graph of the same process in the code
   * @throws io.postroad.message.PostroadException when the text is not that of a graph
   * @throws IllegalArgumentException when it is that of another process, or in a format that this
   *     code does not know
   */
  public static Revived revive(String json, JsonCodec codec, ProcessGraph current) {
    GraphData data = read(json, codec);
    if (!data.process().equals(current.processType())) {
      throw new IllegalArgumentException(
          "the definition is of process '%s', and the graph of '%s'"
              .formatted(data.process(), current.processType()));
    }
    return revive(data, current);
  }

  /** Reads a graph without functions, for requests that begin no step. */
  public static ProcessGraph withoutFunctions(String json, JsonCodec codec) {
    GraphData data = read(json, codec);
    return new ProcessGraph(
        data.process(), data.first(), data.deadline(), data.nodes(), Map.of(), Map.of());
  }

  private static GraphData read(String json, JsonCodec codec) {
    GraphData data = new RecordMaps(codec).read(json, GraphData.class);
    if (data.format() != FORMAT) {
      throw new IllegalArgumentException(
          "the definition has format %d, and this code reads %d".formatted(data.format(), FORMAT));
    }
    return data;
  }

  private static Revived revive(GraphData data, ProcessGraph current) {
    Map<String, Predicate<Map<String, Object>>> predicates = new HashMap<>();
    Map<String, UnaryOperator<Map<String, Object>>> inputs = new HashMap<>();
    List<String> missing = new ArrayList<>();
    for (Node node : data.nodes()) {
      if (node instanceof Node.Choice) {
        take("predicate", node.id(), current.predicates(), predicates, missing);
      }
      if (node instanceof Node.Step step && step.isInputDerived()) {
        take("input", node.id(), current.inputs(), inputs, missing);
      }
    }
    ProcessGraph graph =
        new ProcessGraph(
            data.process(), data.first(), data.deadline(), data.nodes(), predicates, inputs);
    return new Revived(graph, missing);
  }

  private static <F> void take(
      String what, String id, Map<String, F> known, Map<String, F> taken, List<String> missing) {
    F function = known.get(id);
    if (function == null) {
      missing.add("%s '%s'".formatted(what, id));
    } else {
      taken.put(id, function);
    }
  }

  /**
   * A graph made from text.
   *
   * @param missing functions that the code lacks: {@code predicate 'requiresFx'}; a process that
   *     reaches one cannot continue
   */
  public record Revived(ProcessGraph graph, List<String> missing) {
    public Revived {
      missing = List.copyOf(missing);
    }
  }

  /** The content of the text. */
  record GraphData(
      int format, String process, String first, Optional<Duration> deadline, List<Node> nodes) {}
}
