package io.postroad.spring.boot;

import io.postroad.framework.UnusableConfigurationException;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spring.SpringJdbcTransactions;
import io.postroad.spring.boot.internal.OnStore;
import java.util.Arrays;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Refuses an application with several DataSources of which none is primary, and no store of its
 * own: it would silently have no outbox.
 */
@AutoConfiguration(
    after = PostroadPostgresAutoConfiguration.class,
    before = PostroadMongoAutoConfiguration.class)
@ConditionalOnClass({PostgresOrderedStore.class, SpringJdbcTransactions.class})
@ConditionalOnBean(DataSource.class)
@ConditionalOnMissingBean(OutboxStore.class)
@Conditional({OnStore.Postgres.class, PostroadDataSourceAutoConfiguration.NoneIsMeant.class})
public final class PostroadDataSourceAutoConfiguration {

  /** Does not match where an application excluded our stores but has one DataSource. */
  static final class NoneIsMeant extends NoneNestedConditions {
    NoneIsMeant() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnSingleCandidate(DataSource.class)
    static final class OneIsMeant {}
  }

  @Bean
  static BeanFactoryPostProcessor postroadDataSourceCheck() {
    return beans -> {
      throw new UnusableConfigurationException(
          "There are several DataSources, %s, and none is primary, so it is open in whose transactions messages are written."
              .formatted(Arrays.toString(beans.getBeanNamesForType(DataSource.class, true, false))),
          "Mark the one that Postroad is to use as @Primary, and its transaction manager, too; or"
              + " declare the others with @Bean(defaultCandidate = false); or declare the beans"
              + " yourself: an OutboxStore, such as PostgresOrderedStore.open(dataSource, options),"
              + " and Transactions, such as new SpringJdbcTransactions(manager, dataSource). Where"
              + " Postroad is to be in MongoDB, set postroad.store.type=mongodb.");
    };
  }
}
