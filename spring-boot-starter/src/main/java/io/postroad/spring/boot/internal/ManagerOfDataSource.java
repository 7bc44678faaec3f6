package io.postroad.spring.boot.internal;

import io.postroad.spring.boot.UnusableConfigurationException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;

/** Finds the transaction manager whose transactions are on the DataSource of Postroad. */
public final class ManagerOfDataSource {
  private final DataSource dataSource;

  public ManagerOfDataSource(DataSource dataSource) {
    this.dataSource = behind(dataSource);
  }

  /**
   * The only one or the primary one, unless it is of something else; or else the only one that is
   * known to be of the DataSource.
   *
   * @throws UnusableConfigurationException when there is none, or it cannot be told which
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

  /** False where it cannot be known: then the first unit of work shows it, and says so. */
  private boolean isOfSomethingElse(PlatformTransactionManager manager) {
    @Nullable DataSource known = dataSourceOf(manager);
    if (known != null) {
      return known != dataSource;
    }
    return manager instanceof ResourceTransactionManager
        && !new BeanWrapperImpl(manager).isReadableProperty("dataSource");
  }

  /** Managers of JDBC and of JPA both have this property; no class of JPA is needed to read it. */
  private static @Nullable DataSource dataSourceOf(PlatformTransactionManager manager) {
    BeanWrapper properties = new BeanWrapperImpl(manager);
    return properties.isReadableProperty("dataSource")
            && properties.getPropertyValue("dataSource") instanceof DataSource found
        ? behind(found)
        : null;
  }

  /** Transactions are bound to what is behind such a proxy. */
  private static DataSource behind(DataSource dataSource) {
    if (dataSource instanceof TransactionAwareDataSourceProxy proxy) {
      @Nullable DataSource target = proxy.getTargetDataSource();
      return target == null ? dataSource : target;
    }
    return dataSource;
  }
}
