package io.postroad.spring.boot.payment;

import io.postroad.spring.boot.test.PostroadTest;
import jakarta.persistence.EntityManager;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The application of the payment team, with JPA. */
@SpringBootApplication
@PostroadTest
class PaymentApplication {

  @Bean
  PaymentRepositoryPort paymentRepository(EntityManager entities) {
    return payment -> {
      if (payment.getAmount().signum() < 0) {
        throw new IllegalArgumentException("negative");
      }
      return entities.merge(payment);
    };
  }
}
