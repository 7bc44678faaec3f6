package io.postroad.example.rules;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Starts the service. */
@SpringBootApplication
@EnableScheduling
public class RecurringRulesApplication {

  public static void main(String[] args) {
    SpringApplication.run(RecurringRulesApplication.class, args);
  }
}
