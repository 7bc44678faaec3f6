package io.postroad.spring.boot.internal;

import io.postroad.framework.internal.wiring.ConnectionBudget;
import io.postroad.spi.OutboxStore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;

/**
 * The pool of the application's DataSource, if Spring Boot knows its kind.
 *
 * @param store opened first, because some pools know their size only after their first use
 */
public record DataSourcePool(
    DataSource dataSource,
    ObjectProvider<OutboxStore<?>> store,
    ObjectProvider<DataSourcePoolMetadataProvider> pools)
    implements ConnectionBudget.Pool {

  @Override
  public @Nullable Integer connections() {
    store.ifAvailable(opened -> {});
    for (DataSourcePoolMetadataProvider each : pools.orderedStream().toList()) {
      @Nullable DataSourcePoolMetadata pool = each.getDataSourcePoolMetadata(dataSource);
      if (pool != null) {
        @Nullable Integer max = pool.getMax();
        return max == null || max <= 0 ? null : max;
      }
    }
    return null;
  }
}
