package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CachedDirectoryTest {
  private final Path cache;

  CachedDirectoryTest(@TempDir Path cache) {
    this.cache = cache;
  }

  @Test
  void itIsFilledOnceHoweverManyAsk() {
    AtomicInteger fills = new AtomicInteger();
    CompletableFuture<?>[] all =
        Stream.generate(
                () ->
                    CompletableFuture.runAsync(
                        () ->
                            CachedDirectory.get(
                                cache,
                                "x",
                                directory -> {
                                  fills.incrementAndGet();
                                  Files.writeString(directory.resolve("file"), "complete");
                                })))
            .limit(8)
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(all).join();
    assertThat(fills).hasValue(1);
    assertThat(cache.resolve("x/file")).hasContent("complete");
  }

  @Test
  void whatADeadJvmLeftIsCleared() throws IOException {
    Files.createDirectories(cache.resolve("x.partial/half"));
    Path directory = CachedDirectory.get(cache, "x", CachedDirectoryTest::fill);
    assertThat(directory).isDirectoryContaining("glob:**/file");
    assertThat(directory.resolve("half")).doesNotExist();
  }

  @Test
  void aFailedFillLeavesNothingToBeMistakenForTheDirectory() {
    assertThatThrownBy(
            () ->
                CachedDirectory.get(
                    cache,
                    "x",
                    directory -> {
                      fill(directory);
                      throw new IOException("disk full");
                    }))
        .isInstanceOf(ServerException.class)
        .hasRootCauseMessage("disk full")
        .hasMessageContaining("XDG_CACHE_HOME");
    assertThat(cache.resolve("x")).doesNotExist();
  }

  private static void fill(Path directory) throws IOException {
    Files.writeString(directory.resolve("file"), "complete");
  }
}
