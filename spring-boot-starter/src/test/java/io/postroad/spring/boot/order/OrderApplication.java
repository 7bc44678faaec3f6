package io.postroad.spring.boot.order;

import io.postroad.spring.boot.test.PostroadTest;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Orders, on either database. */
@SpringBootApplication
@PostroadTest
class OrderApplication {}
