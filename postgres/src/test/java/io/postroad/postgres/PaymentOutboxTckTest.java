package io.postroad.postgres;

import io.postroad.tck.CompetingStoreTck;
import io.postroad.tck.StoreTck;
import org.junit.platform.suite.api.ConfigurationParameter;

/** Every contract on a table that Postroad did not make. */
@ConfigurationParameter(
    key = StoreTck.FIXTURE,
    value = "io.postroad.postgres.AdoptedFixture$OfPaymentOutbox")
class PaymentOutboxTckTest extends CompetingStoreTck {}
