package io.postroad.spring.boot.order;

import io.postroad.spring.boot.TestDatabases;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/** {@link OrderContract} on PostgreSQL. */
class OrderOnPostgresTest extends OrderContract {

  OrderOnPostgresTest() {
    super(
        new SpringApplicationBuilder(OrderApplication.class, Rows.class)
            .properties(TestDatabases.postgres("orders"))
            .properties("spring.main.banner-mode=off")
            .run());
  }

  static class Rows {

    @Bean
    OrderRows orderRows(JdbcTemplate jdbc) {
      for (String table : List.of("orders", "reservations", "shipments", "audits")) {
        jdbc.execute("CREATE TABLE " + table + " (name text PRIMARY KEY)");
      }
      return new OrderRows() {
        @Override
        public void insert(String table, String name) {
          jdbc.update("INSERT INTO " + table + " VALUES (?)", name);
        }

        @Override
        public List<String> names(String table) {
          return jdbc.queryForList("SELECT name FROM " + table, String.class);
        }

        @Override
        public long count(String table) {
          Long count = jdbc.queryForObject("SELECT count(*) FROM " + table, Long.class);
          return count == null ? 0 : count;
        }
      };
    }
  }
}
