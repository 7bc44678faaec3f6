package io.postroad.faults;

/**
 * Arguments of a {@link ConsumerProcess}.
 *
 * @param name of the inbox, and of its connections to the database
 * @param address of the broker
 */
record ConsumerArgs(
    String name, HandlerDatabase database, BrokerKind broker, String address, String destination) {

  static ConsumerArgs parse(String[] args) {
    return new ConsumerArgs(
        args[0], HandlerDatabase.parse(args[1]), BrokerKind.valueOf(args[2]), args[3], args[4]);
  }

  String[] toArray() {
    return new String[] {name, database.text(), broker.name(), address, destination};
  }
}
