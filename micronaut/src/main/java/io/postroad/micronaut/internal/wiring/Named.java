package io.postroad.micronaut.internal.wiring;

import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.NonUniqueBeanException;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.postroad.framework.UnusableConfigurationException;

/** Finds the DataSource, client or transactions by the name that the application gave. */
final class Named {
  private Named() {}

  /** Returns the bean of the name; without a name the only or the primary bean. */
  static <B> B bean(BeanContext beans, Argument<B> type, String name) {
    if (!name.isEmpty()) {
      return beans
          .findBean(type, Qualifiers.byName(name))
          .orElseThrow(
              () ->
                  new UnusableConfigurationException(
                      "There is no %s of the name '%s'.".formatted(type.getSimpleName(), name),
                      "Set postroad.store.datasource to a name under datasources, or under"
                          + " mongodb.servers, whose transactions are Micronaut Data's."));
    }
    try {
      return beans
          .findBean(type)
          .orElseThrow(
              () ->
                  new UnusableConfigurationException(
                      "There is no bean of %s, so messages could not be part of transactions."
                          .formatted(type.getTypeString(true)),
                      "Add micronaut-data-jdbc (or micronaut-data-tx-jdbc) for PostgreSQL,"
                          + " micronaut-data-mongodb for MongoDB, or declare a bean of"
                          + " Transactions."));
    } catch (NonUniqueBeanException several) {
      throw new UnusableConfigurationException(
          "There are several beans of %s, and none is primary, so it is open in whose transactions messages are written."
              .formatted(type.getTypeString(true)),
          "Say which with postroad.store.datasource, or name one of them 'default'.",
          several);
    }
  }
}
