package io.postroad.spring.boot;

import io.postroad.spi.OutboxStore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;

/** How many connections the application's pool has, where Spring Boot knows the pool. */
final class DataSourcePoolSize implements PoolSize {
  private final DataSource dataSource;
  private final ObjectProvider<OutboxStore<?>> store;
  private final ObjectProvider<DataSourcePoolMetadataProvider> pools;

  /**
   * @param store has used the pool when it is there: some pools know their size only then
   */
  DataSourcePoolSize(
      DataSource dataSource,
      ObjectProvider<OutboxStore<?>> store,
      ObjectProvider<DataSourcePoolMetadataProvider> pools) {
    this.dataSource = dataSource;
    this.store = store;
    this.pools = pools;
  }

  @Override
  public @Nullable Integer max() {
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
