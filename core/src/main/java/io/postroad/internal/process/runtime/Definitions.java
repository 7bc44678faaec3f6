package io.postroad.internal.process.runtime;

import io.postroad.command.CommandNotHereException;
import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.process.engine.Engine;
import io.postroad.internal.process.engine.RetryRules;
import io.postroad.internal.process.engine.SafetyRules;
import io.postroad.internal.process.graph.GraphDefinition;
import io.postroad.message.JsonCodec;
import io.postroad.message.PostroadException;
import io.postroad.process.Node;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepRetry;
import io.postroad.spi.process.ProcessFilter;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Holds the definitions that processes run on: those of this release, and others that active
 * processes were started with. Safe to use from many threads.
 */
public final class Definitions<T> {
  private static final int LISTED = 20;

  private final ProcessStore<T> store;
  private final JsonCodec codec;
  private final Map<String, Current> current = new LinkedHashMap<>();
  private final Map<String, Engine> engines = new ConcurrentHashMap<>();
  private final SafetyRules safety = new SafetyRules();
  private final StepRetry undo;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  public Definitions(
      ProcessStore<T> store,
      JsonCodec codec,
      Collection<ProcessConfiguration> configurations,
      StepRetry undo) {
    this.store = store;
    this.codec = codec;
    this.undo = undo;
    for (ProcessConfiguration configuration : configurations) {
      add(configuration);
    }
  }

  /**
   * A definition of this release.
   *
   * @param definition the definition as text, with its hash
   */
  public record Current(
      ProcessConfiguration configuration, ProcessGraph graph, StoredDefinition definition) {}

  private void add(ProcessConfiguration configuration) {
    String type = configuration.getProcessType();
    ProcessGraph graph = configuration.defineProcess();
    GraphDefinition text = GraphDefinition.of(graph);
    StoredDefinition definition = new StoredDefinition(type, text.hash(), text.json());
    Current known = current.putIfAbsent(type, new Current(configuration, graph, definition));
    if (known != null) {
      throw new IllegalStateException(
          "process type '%s' is defined twice: by %s and by %s"
              .formatted(
                  type,
                  known.configuration().getClass().getName(),
                  configuration.getClass().getName()));
    }
    engines.put(key(type, definition.hash()), engine(configuration, graph));
  }

  private Engine engine(ProcessConfiguration configuration, ProcessGraph graph) {
    return new Engine(graph, new RetryRules(configuration, undo), safety);
  }

  private static String key(String type, String hash) {
    return hash + "/" + type;
  }

  public Collection<Current> all() {
    return current.values();
  }

  /** Returns the definition of this release. */
  public Current current(String type) {
    Current known = current.get(type);
    if (known == null) {
      throw new IllegalArgumentException(
          "Unknown process type: %s; known are %s".formatted(type, current.keySet()));
    }
    return known;
  }

  /** Returns whether this release has processes of this type. */
  boolean has(String type) {
    return current.containsKey(type);
  }

  /** Returns whether this release starts processes with this definition. */
  boolean isCurrent(String type, String hash) {
    Current known = current.get(type);
    return known != null && known.definition().hash().equals(hash);
  }

  /**
   * Returns the engine for a definition.
   *
   * @throws CommandNotHereException when this node lacks code that the definition needs
   */
  Engine engine(String type, String hash) {
    Engine known = engines.get(key(type, hash));
    return known != null
        ? known
        : engines.computeIfAbsent(key(type, hash), unused -> older(type, hash));
  }

  private Engine older(String type, String hash) {
    Current now = current.get(type);
    if (now == null) {
      throw new CommandNotHereException(
          "process type '%s' is not on this node, which has %s".formatted(type, current.keySet()));
    }
    GraphDefinition.Revived read =
        readable(type, hash, definition -> revived(definition, now.graph()));
    if (!read.missing().isEmpty()) {
      throw new CommandNotHereException(
          "definition %s of process type '%s' needs %s, which this node does not have"
              .formatted(hash, type, read.missing()));
    }
    return engine(now.configuration(), read.graph());
  }

  /** Reads a stored definition. A newer version of Postroad may have written an unknown format. */
  private <R> R readable(String type, String hash, Function<StoredDefinition, R> read) {
    StoredDefinition definition =
        store
            .definitions()
            .find(type, hash)
            .orElseThrow(
                () ->
                    new CommandNotHereException(
                        "definition %s of process type '%s' is not kept any more"
                            .formatted(hash, type)));
    try {
      return read.apply(definition);
    } catch (PostroadException | IllegalArgumentException unreadable) {
      throw new CommandNotHereException(
          "definition %s of process type '%s' cannot be read by this release: %s"
              .formatted(hash, type, ErrorText.of(unreadable)));
    }
  }

  /**
   * Returns the graph of a definition, without the functions that this node lacks.
   *
   * @throws CommandNotHereException when the definition cannot be read
   */
  ProcessGraph graph(String type, String hash) {
    return stored(type, hash).graph();
  }

  /**
   * Returns an engine for requests that begin no step, even for a definition whose code this node
   * lacks.
   *
   * @throws CommandNotHereException when the definition cannot be read
   */
  public Engine stored(String type, String hash) {
    try {
      return engine(type, hash);
    } catch (CommandNotHereException notHere) {
      ProcessGraph graph =
          readable(
              type,
              hash,
              definition -> GraphDefinition.withoutFunctions(definition.graph(), codec));
      return engine(new Elsewhere(type, graph), graph);
    }
  }

  /** A type of process that only other nodes have the code for. */
  private record Elsewhere(String getProcessType, ProcessGraph defineProcess)
      implements ProcessConfiguration {}

  /** Returns why this node cannot run all steps of this definition; empty when it can. */
  Optional<String> whyNotHere(String type, String hash, Predicate<String> canAccept) {
    if (isCurrent(type, hash)) {
      return Optional.empty();
    }
    try {
      Set<String> missing = new TreeSet<>(commands(engine(type, hash).graph()));
      missing.removeIf(canAccept);
      return missing.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "definition %s of process type '%s' has the commands %s, which this node knows no handler for"
                  .formatted(hash, type, missing));
    } catch (CommandNotHereException notHere) {
      return Optional.of(ErrorText.of(notHere));
    }
  }

  /** Returns whether this node has not reported this definition as missing before. */
  public boolean isNewToTell(String type, String hash) {
    return told.add(key(type, hash));
  }

  private GraphDefinition.Revived revived(StoredDefinition definition, ProcessGraph now) {
    return GraphDefinition.revive(definition.graph(), codec, now);
  }

  /** Stores the definitions of this release. */
  public void keep() {
    current.values().forEach(known -> store.definitions().keep(known.definition()));
  }

  /**
   * A definition of active processes that this node cannot run.
   *
   * @param isNewer whether it was stored after the definition of this release, so that nodes of a
   *     newer release run its processes
   * @param text the missing code, and the processes
   */
  public record Stranded(String type, String hash, boolean isNewer, String text) {}

  /**
   * Returns the definitions of active processes that this node cannot run.
   *
   * @param handled the commands that a node handles
   */
  public List<Stranded> stranded(Set<String> handled) {
    List<Stranded> stranded = new ArrayList<>();
    for (Current known : current.values()) {
      store
          .queries()
          .activeByDefinition(known.graph().processType())
          .forEach(
              (hash, count) -> {
                if (!hash.equals(known.definition().hash())) {
                  stranded(known, hash, count, handled)
                      .map(text -> new Stranded(typeOf(known), hash, isNewer(known, hash), text))
                      .ifPresent(stranded::add);
                }
              });
    }
    return stranded;
  }

  private static String typeOf(Current known) {
    return known.graph().processType();
  }

  private boolean isNewer(Current known, String hash) {
    Optional<Instant> ours =
        store.definitions().keptSince(typeOf(known), known.definition().hash());
    Optional<Instant> theirs = store.definitions().keptSince(typeOf(known), hash);
    return ours.isPresent() && theirs.filter(ours.get()::isBefore).isPresent();
  }

  private Optional<String> stranded(Current known, String hash, long count, Set<String> handled) {
    String type = typeOf(known);
    Set<String> missing = new TreeSet<>();
    try {
      GraphDefinition.Revived read =
          readable(type, hash, definition -> revived(definition, known.graph()));
      missing.addAll(read.missing());
      commands(read.graph()).stream()
          .filter(command -> !handled.contains(command))
          .forEach(command -> missing.add("a handler for " + command));
    } catch (CommandNotHereException notHere) {
      missing.add(ErrorText.of(notHere));
    }
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    List<String> ids =
        store
            .queries()
            .list(
                ProcessFilter.all()
                    .withType(type)
                    .withDefinition(hash)
                    .withStatuses(
                        Set.of(ProcessStatus.RUNNING.name(), ProcessStatus.COMPENSATING.name())),
                LISTED)
            .stream()
            .map(process -> "%s at %s".formatted(process.id(), process.summary().currentStep()))
            .toList();
    return Optional.of(
        "%d active processes of type '%s' run on definition %s, which needs %s: %s%s"
            .formatted(count, type, hash, missing, ids, count > ids.size() ? " and more" : ""));
  }

  /** All commands of a graph, those that undo among them. */
  static Set<String> commands(ProcessGraph graph) {
    Set<String> commands = new TreeSet<>();
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Step step) {
        commands.add(step.command());
        step.undo().ifPresent(undo -> commands.add(undo.command()));
      }
    }
    return commands;
  }
}
