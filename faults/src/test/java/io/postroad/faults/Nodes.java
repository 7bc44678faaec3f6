package io.postroad.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Relays on one scene with the ordered outbox: one is active, the others stand by. The active one
 * is asked of the database.
 */
final class Nodes implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final Scene scene;
  private final LaneArgs args;
  private final List<LaneChild> children = new ArrayList<>();
  private int started;

  private Nodes(Scene scene, LaneArgs args) {
    this.scene = scene;
    this.args = args;
  }

  /** Starts so many, and returns when they run. */
  static Nodes start(Scene scene, int count) {
    return start(scene, count, Duration.ofSeconds(2), 1000);
  }

  static Nodes start(Scene scene, int count, Duration sendTimeout, int maxAttempts) {
    return start(scene, count, sendTimeout, maxAttempts, LaneArgs.SHORT_LEASE);
  }

  /** The same with another lease of lanes. */
  static Nodes start(Scene scene, int count, Duration lease) {
    return start(scene, count, Duration.ofSeconds(2), 1000, lease);
  }

  private static Nodes start(
      Scene scene, int count, Duration sendTimeout, int maxAttempts, Duration lease) {
    Nodes nodes =
        new Nodes(
            scene,
            new LaneArgs(
                "", scene.database(), scene.bootstrapServers(), sendTimeout, maxAttempts, lease));
    for (int i = 0; i < count; i++) {
      nodes.startOne();
    }
    nodes.awaitReady();
    return nodes;
  }

  Duration lease() {
    return args.lease();
  }

  LaneChild startOne() {
    LaneChild child =
        LaneChild.start(
            new LaneArgs(
                "relay-" + ++started,
                args.database(),
                args.bootstrapServers(),
                args.sendTimeout(),
                args.maxAttempts(),
                args.lease()));
    children.add(child);
    return child;
  }

  /** Returns when all of them run. */
  void awaitReady() {
    children.forEach(LaneChild::awaitReady);
  }

  /** Whether none of them has ended. */
  boolean allAlive() {
    return children.stream().allMatch(LaneChild::isAlive);
  }

  /** Returns the owner of the lane. */
  LaneChild active() throws Exception {
    List<LaneChild> found = new ArrayList<>();
    Eventually.await(
        PATIENCE,
        () -> {
          owner().ifPresent(found::add);
          return !found.isEmpty();
        },
        () -> "no node owns the lane");
    return found.get(0);
  }

  /** One that owns nothing. */
  LaneChild standby() throws Exception {
    LaneChild active = active();
    return children.stream().filter(child -> child != active).findFirst().orElseThrow();
  }

  private Optional<LaneChild> owner() throws Exception {
    String node = scene.lane().node();
    return children.stream()
        .filter(child -> child.isAlive() && node.startsWith(child.name() + "/"))
        .findFirst();
  }

  long epoch() throws Exception {
    return scene.lane().epoch();
  }

  /** Kills it and starts another one; how long the lane was without an owner. */
  Duration kill(LaneChild active) throws Exception {
    long epoch = epoch();
    long began = System.nanoTime();
    active.kill();
    return replaced(active, epoch, began);
  }

  /** Stops it cleanly and starts another one; how long the lane was without an owner. */
  Duration stop(LaneChild active) throws Exception {
    long epoch = epoch();
    Thread stopping = new Thread(active::stop);
    stopping.start();
    Eventually.await(
        PATIENCE,
        () -> epoch() > epoch || scene.lane().node().isEmpty(),
        () -> active.name() + " has not released its lane");
    long began = System.nanoTime();
    Duration took = replaced(active, epoch, began);
    stopping.join();
    return took;
  }

  private Duration replaced(LaneChild gone, long epoch, long began) throws Exception {
    Duration took = takeOver(epoch, began);
    children.remove(gone);
    startOne();
    return took;
  }

  /** Waits for an owner after this epoch; how long that took. */
  Duration takeOver(long epoch, long began) throws Exception {
    Eventually.await(PATIENCE, () -> epoch() > epoch, () -> "no node has taken the lane");
    return Duration.ofNanos(System.nanoTime() - began);
  }

  @Override
  public void close() {
    children.forEach(LaneChild::close);
  }
}
