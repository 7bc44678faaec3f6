package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TarArchiveTest {
  private static final String CONTENT = "content";

  private final Path directory;

  TarArchiveTest(@TempDir Path directory) {
    this.directory = directory;
  }

  /** An archive of one entry whose content is {@link #CONTENT}, cut after so many bytes. */
  private static InputStream archive(String name, char type, int length) {
    ByteBuffer tar = ByteBuffer.allocate(2048);
    tar.put(0, bytes(name)).put(100, bytes("0000755")).put(124, bytes("00000000007"));
    tar.put(156, (byte) type).put(157, bytes("target")).put(512, bytes(CONTENT));
    return new ByteArrayInputStream(tar.array(), 0, length);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void filesAreUnpackedWithDirectoriesThatWereNotMentioned() throws IOException {
    TarArchive.unpack(archive("bin/tool", '0', 2048), directory);
    assertThat(directory.resolve("bin/tool")).hasContent(CONTENT).isExecutable();
  }

  @Test
  void entriesOutsideTheDirectoryAreRefused() {
    assertThatThrownBy(() -> TarArchive.unpack(archive("../tool", '0', 2048), directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("leaves its directory: ../tool");
  }

  @Test
  void entriesOfOtherKindsAreRefused() {
    assertThatThrownBy(() -> TarArchive.unpack(archive("hard", '1', 2048), directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("archive entry hard is of type 1");
  }

  @Test
  void anArchiveThatEndsInsideAFileIsRefused() {
    assertThatThrownBy(() -> TarArchive.unpack(archive("tool", '0', 515), directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("4 bytes early");
  }
}
