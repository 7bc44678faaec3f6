package io.postroad.faults;

import io.postroad.servers.ManagedServer;

/**
 * A broker that runs, with a topic or queue of one's own.
 *
 * @param address what its clients take
 */
record Broker(BrokerKind kind, ManagedServer server, String address, String destination) {}
