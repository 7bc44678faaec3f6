package io.postroad.spring.boot.order;

import io.postroad.spring.boot.TestDatabases;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.core.MongoTemplate;

/** {@link OrderContract} on MongoDB. */
class OrderOnMongoTest extends OrderContract {

  OrderOnMongoTest() {
    super(
        new SpringApplicationBuilder(OrderApplication.class, Documents.class)
            .properties(TestDatabases.mongo("orders"))
            .properties(
                "spring.main.banner-mode=off",
                "spring.autoconfigure.exclude="
                    + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
                    + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
            .run());
  }

  static class Documents {

    @Bean
    OrderRows orderRows(MongoTemplate mongo) {
      for (String collection : List.of("orders", "reservations", "shipments", "audits")) {
        mongo.createCollection(collection);
      }
      return new OrderRows() {
        @Override
        public void insert(String collection, String name) {
          mongo.insert(new Document("_id", name), collection);
        }

        @Override
        public List<String> names(String collection) {
          return mongo
              .getCollection(collection)
              .find()
              .map(each -> each.getString("_id"))
              .into(new ArrayList<>());
        }

        @Override
        public long count(String collection) {
          return mongo.getCollection(collection).countDocuments();
        }
      };
    }
  }
}
