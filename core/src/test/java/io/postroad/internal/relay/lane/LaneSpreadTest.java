package io.postroad.internal.relay.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.spi.Membership;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaneSpreadTest {

  @Test
  void aNodeAloneTakesEveryFreeLane() {
    assertThat(LaneSpread.toTake(board(List.of("a"), "-", "-", "a"), "a", Set.of(2)))
        .containsExactly(0, 1);
  }

  @Test
  void aStandbyTakesTheOnlyLaneOnceItIsFree() {
    assertThat(LaneSpread.toTake(board(List.of("a", "b"), "a"), "b", Set.of())).isEmpty();
    assertThat(LaneSpread.toTake(board(List.of("a", "b"), "-"), "b", Set.of())).containsExactly(0);
  }

  @Test
  void whoHasMoreThanOthersLeavesFreeLanesToThem() {
    Membership board = board(List.of("a", "b"), "a", "-", "-");
    assertThat(LaneSpread.toTake(board, "a", Set.of(0))).isEmpty();
    assertThat(LaneSpread.toTake(board, "b", Set.of())).containsExactly(1);
  }

  @Test
  void whoHasTwoMoreThanAnotherGivesOneAway() {
    Membership board = board(List.of("a", "b", "c"), "a", "a", "b", "b");
    assertThat(LaneSpread.shouldGive(board, "a")).isTrue();
    assertThat(LaneSpread.shouldGive(board, "c")).isFalse();
    assertThat(LaneSpread.shouldGive(board(List.of("a", "b"), "a", "a", "b"), "a")).isFalse();
  }

  @Test
  void lanesOfANodeThatIsGoneCountForNobody() {
    Membership board = board(List.of("a"), "a", "gone", "-");
    assertThat(LaneSpread.toTake(board, "a", Set.of(0))).containsExactly(2);
    assertThat(LaneSpread.shouldGive(board, "a")).isFalse();
  }

  @Test
  void ownLanesThatTheNodeDoesNotWorkOnAreTakenBackWhateverItsShare() {
    Membership board = board(List.of("a", "b"), "a", "a", "a", "-");
    assertThat(LaneSpread.toTake(board, "a", Set.of(1))).containsExactly(0, 2);
    assertThat(LaneSpread.toTake(board, "a", Set.of(0, 1, 2))).isEmpty();
    assertThat(LaneSpread.toTake(board, "b", Set.of())).containsExactly(3);
  }

  /** From any start, in any order of turns, the shares end up at most one apart and stay so. */
  @ParameterizedTest
  @CsvSource({"1, 3", "4, 3", "8, 3", "7, 2", "128, 5"})
  void lanesEndUpSpreadEvenlyAndStayWhereTheyAre(int lanes, int nodes) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      names.add("n" + i);
    }
    String[] owners = new String[lanes];
    Arrays.fill(owners, "n0");
    int turns = 4 * lanes * nodes;
    String[] settled = owners;
    for (int turn = 0; turn < turns; turn++) {
      settled = owners.clone();
      for (String node : names) {
        Membership board = board(names, owners);
        if (LaneSpread.shouldGive(board, node)) {
          owners[List.of(owners).lastIndexOf(node)] = "-";
        }
        for (int lane : LaneSpread.toTake(board(names, owners), node, worked(owners, node))) {
          owners[lane] = node;
        }
      }
    }

    Map<String, Long> shares = new TreeMap<>(board(names, owners).shares());
    assertThat(owners).as("nothing moves any more").isEqualTo(settled).doesNotContain("-");
    assertThat(shares.values().stream().mapToLong(Long::longValue).max().orElseThrow())
        .isLessThanOrEqualTo(
            shares.values().stream().mapToLong(Long::longValue).min().orElseThrow() + 1);
  }

  private static Set<Integer> worked(String[] owners, String node) {
    return IntStream.range(0, owners.length)
        .filter(lane -> owners[lane].equals(node))
        .boxed()
        .collect(Collectors.toSet());
  }

  private static Membership board(List<String> nodes, String... owners) {
    List<Membership.LaneOwner> seats = new ArrayList<>();
    for (int lane = 0; lane < owners.length; lane++) {
      seats.add(
          new Membership.LaneOwner(
              lane, owners[lane].equals("-") ? Optional.empty() : Optional.of(owners[lane])));
    }
    return new Membership(nodes, seats);
  }
}
