package io.postroad.spring.boot.internal;

import io.postroad.framework.UnusableConfigurationException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;

/** Finds the transaction manager of the DataSource that Postroad uses. */
public final class ManagerOfDataSource {
  private final DataSource dataSource;

  public ManagerOfDataSource(DataSource dataSource) {
    this.dataSource = behind(dataSource);
  }

  /**
   * Returns the only or the primary manager, unless it belongs to another resource; otherwise the
   * only manager that is known to belong to the DataSource.
   *
   * @throws UnusableConfigurationException if there is none, or several could be meant
   */
  public PlatformTransactionManager among(ObjectProvider<PlatformTransactionManager> managers) {
    @Nullable PlatformTransactionManager only = managers.getIfUnique();
    if (only != null && !isOfSomethingElse(only)) {
      return only;
    }
    List<PlatformTransactionManager> all = managers.stream().toList();
    List<PlatformTransactionManager> fitting = all.stream().filter(this::isOfIt).toList();
    if (fitting.size() == 1) {
      return fitting.get(0);
    }
    throw new UnusableConfigurationException(
        only == null || all.size() > 1
            ? "Postroad cannot tell whose transactions its messages are part of: there are %d transaction managers, and %d of them are known to be of the DataSource."
                .formatted(all.size(), fitting.size())
            : "The only transaction manager (%s) is of something else than the DataSource of Postroad, so no message could be part of its transactions."
                .formatted(only.getClass().getSimpleName()),
        "Declare a manager of the DataSource that Postroad uses, and mark one manager as @Primary; or"
            + " declare the bean yourself: @Bean Transactions<Connection> postroadTransactions(..) {"
            + " return new SpringJdbcTransactions(manager, dataSource); }");
  }

  private boolean isOfIt(PlatformTransactionManager manager) {
    return dataSourceOf(manager) == dataSource;
  }

  /** Returns false if it is not known; then the first transaction is refused. */
  private boolean isOfSomethingElse(PlatformTransactionManager manager) {
    @Nullable DataSource known = dataSourceOf(manager);
    if (known != null) {
      return known != dataSource;
    }
    return manager instanceof ResourceTransactionManager
        && !new BeanWrapperImpl(manager).isReadableProperty("dataSource");
  }

  /** Reads a property that managers of JDBC and of JPA have, without a class of JPA. */
  private static @Nullable DataSource dataSourceOf(PlatformTransactionManager manager) {
    BeanWrapper properties = new BeanWrapperImpl(manager);
    return properties.isReadableProperty("dataSource")
            && properties.getPropertyValue("dataSource") instanceof DataSource found
        ? behind(found)
        : null;
  }

  /** Returns the target of a proxy, because transactions are bound to the target. */
  private static DataSource behind(DataSource dataSource) {
    if (dataSource instanceof TransactionAwareDataSourceProxy proxy) {
      @Nullable DataSource target = proxy.getTargetDataSource();
      return target == null ? dataSource : target;
    }
    return dataSource;
  }
}
