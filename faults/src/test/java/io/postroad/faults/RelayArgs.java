package io.postroad.faults;

import java.time.Duration;

/**
 * Arguments of a {@link RelayProcess}.
 *
 * @param name of the relay, the owner of its leases
 * @param leaseMargin by how much a lease is longer than the sender's timeout, which is 4.5 s
 */
record RelayArgs(
    String name,
    DatabaseAddress database,
    String bootstrapServers,
    Duration leaseMargin,
    HoldUp holdUp) {

  static RelayArgs parse(String[] args) {
    return new RelayArgs(
        args[0],
        DatabaseAddress.parse(args[1]),
        args[2],
        Duration.parse(args[3]),
        HoldUp.valueOf(args[4]));
  }

  String[] toArray() {
    return new String[] {
      name, database.text(), bootstrapServers, leaseMargin.toString(), holdUp.name()
    };
  }
}
