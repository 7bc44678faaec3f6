package io.postroad.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports on 127.0.0.1.
 *
 * <p>Taken from below the range that the kernel gives to outgoing connections: a client that keeps
 * trying to reach a killed server would otherwise get that very port some day, connect to itself
 * and keep the server from coming back.
 */
final class FreePort {
  private static final Path EPHEMERAL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int USUAL_FIRST_EPHEMERAL = 32768;
  private static final int CHOICES = 12_000;
  private static final int TRIES = 200;

  private FreePort() {}

  static int find() {
    int end = firstEphemeral();
    int start = Math.max(1024, end - CHOICES);
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(start, end);
      if (isFree(port)) {
        return port;
      }
    }
    throw new ServerException(
        "found no free port from %d to %d on 127.0.0.1 in %d tries".formatted(start, end, TRIES));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  static int firstEphemeral() {
    // Not Files.readString: it reads one byte first, and a sysctl ends after the first read.
    try (BufferedReader range = Files.newBufferedReader(EPHEMERAL)) {
      int first = Integer.parseInt(range.readLine().split("\\s+")[0]);
      return first > 4096 ? first : USUAL_FIRST_EPHEMERAL;
    } catch (IOException unknown) {
      return USUAL_FIRST_EPHEMERAL;
    }
  }
}
