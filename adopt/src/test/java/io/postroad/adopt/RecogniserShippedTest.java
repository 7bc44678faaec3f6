package io.postroad.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.adopt.Recognition.Origin;
import io.postroad.adopt.Recognition.Recognised;
import io.postroad.layout.Fallback;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Layouts;
import io.postroad.layout.PayloadForm;
import io.postroad.layout.Statuses;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RecogniserShippedTest {

  static Stream<Arguments> shipped() {
    return Stream.of(
        Arguments.of(SpecTables.paymentOutbox(), Layouts.paymentOutbox()),
        Arguments.of(
            SpecTables.advertMarket(), Layouts.advertMarket().withPayload(PayloadForm.JSON)),
        Arguments.of(SpecTables.messagingPlatform(), Layouts.messagingPlatform(3)),
        Arguments.of(SpecTables.debezium(), Layouts.debezium()),
        Arguments.of(SpecTables.recurringRules(), Layouts.recurringRules()),
        Arguments.of(SpecTables.brokerless(), Layouts.brokerless()));
  }

  @ParameterizedTest
  @MethodSource("shipped")
  void aTableIsRecognisedByTheColumnsOfItsSpec(TableShape shape, Layout layout) {
    Rows everyWord = Rows.withStatus(layout.statuses().all().toArray(String[]::new));

    assertThat(recognised(shape, everyWord))
        .satisfies(found -> assertThat(found.layout()).isEqualTo(layout))
        .satisfies(found -> assertThat(found.origin()).isEqualTo(Origin.SHIPPED));
  }

  @Test
  void theRealNameOfTheTableIsPutIn() {
    TableShape spec = SpecTables.paymentOutbox();
    TableShape renamed =
        TableShape.ofTable("billing.events_out", spec.columns(), spec.keys().get(0));

    assertThat(recognised(renamed, Rows.none()).layout())
        .isEqualTo(Layouts.paymentOutbox().withTable("billing.events_out"));
  }

  @Test
  void moreColumnsDoNoHarm() {
    TableShape more =
        Shapes.table(
            "outboxevent",
            """
            id uuid not null unique
            aggregatetype text not null
            aggregateid text not null
            type text not null
            payload json
            tracingspancontext text""");

    assertThat(recognised(more, Rows.none()).layout()).isEqualTo(Layouts.debezium());
  }

  @Test
  void thePayloadIsKeptAsItsColumnSays() {
    TableShape bytes =
        Shapes.table(
            "outboxevent",
            """
            id uuid not null unique
            aggregatetype text not null
            aggregateid text not null
            type text not null
            payload bytes""");

    assertThat(recognised(bytes, Rows.none()).layout())
        .isEqualTo(
            Layouts.debezium()
                .withPayload(PayloadForm.BYTES)
                .with(Field.CONTENT_TYPE, Fallback.to("application/octet-stream")));
  }

  @Test
  void otherWordsAreTakenFromTheData() {
    Rows rows = Rows.withStatus("PENDING", "SENT", "ERROR");

    assertThat(recognised(SpecTables.paymentOutbox(), rows).layout())
        .isEqualTo(Layouts.paymentOutbox().withStatuses(Statuses.of("PENDING", "SENT", "ERROR")));
  }

  @Test
  void theColumnsOfDebeziumWithAStatusAreNotTakenForATableWithoutOne() {
    TableShape marked =
        Shapes.table(
            "outboxevent",
            """
            id uuid not null unique
            aggregatetype text not null
            aggregateid text not null
            type text not null
            topic text not null
            payload json
            status text not null""");

    assertThat(recognised(marked, Rows.withStatus("PENDING", "SENT")))
        .satisfies(found -> assertThat(found.origin()).isEqualTo(Origin.GUESSED))
        .satisfies(found -> assertThat(found.layout().column(Field.STATUS)).hasValue("status"));
  }

  @Test
  void aFieldThatNoDocumentHasYetDoesNotHideALayout() {
    TableShape young =
        Shapes.collection(
            "outbox",
            """
            _id objectid
            stream text
            event_type text
            aggregate_id text
            payload json
            created_at timestamptz
            status text
            attempts number""");

    assertThat(recognised(young, Rows.withStatus("new")).layout()).isEqualTo(Layouts.brokerless());
  }

  @Test
  void theMostSpecificOfTwoWins() {
    TableShape both =
        Shapes.table(
            "outbox",
            """
            id text not null unique
            outbox_id uuid not null unique
            category text
            destination text
            aggregate_type text
            aggregate_id text
            event_type text
            topic text
            partition_key text
            payload text not null
            status text not null
            retry_count number
            error_message text
            created_at timestamptz
            published_at timestamptz
            version number""");

    assertThat(Recogniser.ofTables().recognise(both, Rows.none()).problems())
        .as("payment-outbox does not fill outbox_id")
        .extracting(Problem::where)
        .containsExactly("outbox_id");
  }

  /** Checks that a second inspection ignores the columns that the first one added. */
  @Test
  void columnsThatWereAddedBeforeChangeNothing() {
    TableShape migrated =
        Shapes.table(
            "outboxevent",
            """
            id uuid not null unique
            aggregatetype text not null
            aggregateid text not null
            type text not null
            payload json
            postroad_status text
            postroad_attempts number
            postroad_settled_at timestamptz
            postroad_destination text""");
    Rows rows =
        Rows.none()
            .and("postroad_status", WordRows.of("DISPATCHED", 2))
            .and("postroad_status", WordRows.without(5));

    assertThat(recognised(migrated, rows).layout()).isEqualTo(Layouts.debezium());
    assertThat(recognised(migrated, rows).rows())
        .containsExactly(WordRows.of("DISPATCHED", 2), WordRows.without(5));
  }

  private static Recognised recognised(TableShape shape, RowCounter rows) {
    Recogniser recogniser =
        shape.form() == TableShape.Form.TABLE ? Recogniser.ofTables() : Recogniser.ofCollections();
    Recognition found = recogniser.recognise(shape, rows);
    assertThat(found.problems()).isEmpty();
    return (Recognised) found;
  }
}
