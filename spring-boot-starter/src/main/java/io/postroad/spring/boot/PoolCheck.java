package io.postroad.spring.boot;

import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;

/** Warns of handlers that could use up the connection pool, so that requests would wait. */
final class PoolCheck implements SmartInitializingSingleton {
  private static final Logger LOG = LoggerFactory.getLogger(PoolCheck.class);

  private final DataSource dataSource;
  private final ObjectProvider<DataSourcePoolMetadataProvider> pools;
  private final ObjectProvider<CommandProperties> commands;
  private final ObjectProvider<InboxProperties> inbox;

  PoolCheck(
      DataSource dataSource,
      ObjectProvider<DataSourcePoolMetadataProvider> pools,
      ObjectProvider<CommandProperties> commands,
      ObjectProvider<InboxProperties> inbox) {
    this.dataSource = dataSource;
    this.pools = pools;
    this.commands = commands;
    this.inbox = inbox;
  }

  @Override
  public void afterSingletonsInstantiated() {
    warnings().forEach(LOG::warn);
  }

  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    @Nullable Integer connections = connections();
    if (connections != null) {
      commands.ifAvailable(
          each -> warn(warnings, "postroad.commands.concurrency", each.concurrency(), connections));
      inbox.ifAvailable(
          each -> warn(warnings, "postroad.inbox.concurrency", each.concurrency(), connections));
    }
    return warnings;
  }

  private static void warn(List<String> warnings, String property, int handlers, int connections) {
    if (2 * handlers > connections) {
      warnings.add(
          "%s=%d is more than half of the %d connections of the pool, so handlers can keep requests waiting; raise the pool to %d or lower it"
              .formatted(property, handlers, connections, 2 * handlers));
    }
  }

  private @Nullable Integer connections() {
    for (DataSourcePoolMetadataProvider each : pools.orderedStream().toList()) {
      @Nullable DataSourcePoolMetadata pool = each.getDataSourcePoolMetadata(dataSource);
      if (pool != null) {
        return pool.getMax();
      }
    }
    return null;
  }
}
