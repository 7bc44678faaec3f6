package io.postroad.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.adopt.Recognition.Origin;
import io.postroad.adopt.Recognition.Recognised;
import io.postroad.layout.Fallback;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.PayloadForm;
import io.postroad.layout.Statuses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecogniserGuessTest {
  private static final TableShape SMALL =
      Shapes.table(
          "mails",
          """
          id uuid not null unique
          topic text not null
          payload text not null
          status text not null""");

  @Test
  void aHandMadeTableIsRecognisedByItsNames() {
    TableShape shape =
        Shapes.table(
            "shop.mail_queue",
            """
            message_id uuid not null unique
            message_type text(80) not null
            entity_id number
            queue text(60) not null
            routing_key text
            tenant_id text
            dedup_key text
            body json not null
            mime_type text
            state text(12) not null default 'new'
            tries number not null default
            scheduled_for timestamptz
            inserted_at timestamptz not null default
            sent_at timestamptz
            failure_reason text
            locked_by text
            locked_until timestamptz
            priority number""");
    Rows rows =
        Rows.none()
            .and("state", WordRows.of("new", 3))
            .and("state", WordRows.of("sending", 1))
            .and("state", WordRows.of("retry", 1))
            .and("state", WordRows.of("sent", 90))
            .and("state", WordRows.of("dead_letter", 2));

    Recognised found = recognised(shape, rows);

    assertThat(found.origin()).isEqualTo(Origin.GUESSED);
    assertThat(found.layout())
        .isEqualTo(
            Layout.of(
                    "mail_queue",
                    "shop.mail_queue",
                    Statuses.of("new", "sent", "dead_letter")
                        .withProcessing("sending")
                        .withWaiting("retry"))
                .with(Field.ID, "message_id")
                .with(Field.TYPE, "message_type")
                .with(Field.AGGREGATE_ID, "entity_id")
                .with(Field.AGGREGATE_TYPE, Fallback.to(Field.DESTINATION))
                .with(Field.DESTINATION, "queue")
                .with(Field.KEY, "routing_key")
                .with(Field.TENANT, "tenant_id")
                .with(Field.DEDUPLICATION_KEY, "dedup_key")
                .with(Field.PAYLOAD, "body")
                .with(Field.CONTENT_TYPE, "mime_type")
                .with(Field.STATUS, "state")
                .with(Field.ATTEMPTS, "tries")
                .with(Field.DUE_AT, "scheduled_for")
                .with(Field.CREATED_AT, "inserted_at")
                .with(Field.SETTLED_AT, "sent_at")
                .with(Field.LAST_ERROR, "failure_reason")
                .withPayload(PayloadForm.JSON));
    assertThat(found.remarks())
        .anySatisfy(each -> assertThat(each).startsWith("locked_by is left alone"))
        .anySatisfy(each -> assertThat(each).startsWith("locked_until is left alone"));
  }

  @Test
  void aWholeLeaseOfACollectionIsUsedAndHalfALeaseIsNot() {
    String half =
        """
        _id objectid
        topic text
        payload json
        status text
        lockedBy text""";

    assertThat(recognised(Shapes.collection("mails", half), Rows.none()).layout().columns())
        .doesNotContainKeys(Field.LEASE_OWNER, Field.LEASE_UNTIL);
    assertThat(
            recognised(Shapes.collection("mails", half + "\nlockedUntil timestamptz"), Rows.none())
                .layout()
                .columns())
        .containsEntry(Field.LEASE_OWNER, "lockedBy")
        .containsEntry(Field.LEASE_UNTIL, "lockedUntil");
  }

  @Test
  void camelCaseIsReadTheSameWay() {
    TableShape shape =
        Shapes.collection(
            "mails",
            """
            _id objectid
            eventName text
            aggregateId text
            channel text
            messageBody text
            deliveryStatus text
            attemptCount number
            nextAttemptAt timestamptz
            occurredAt timestamptz
            deliveredAt timestamptz
            errorMessage text""");
    Rows rows = Rows.none().and("deliveryStatus", WordRows.of("InProgress", 1));

    assertThat(recognised(shape, rows).layout())
        .isEqualTo(
            Layout.of(
                    "mails",
                    "mails",
                    Statuses.of("Pending", "Delivered", "Failed").withProcessing("InProgress"))
                .with(Field.ID, "_id")
                .with(Field.TYPE, "eventName")
                .with(Field.AGGREGATE_ID, "aggregateId")
                .with(Field.AGGREGATE_TYPE, Fallback.to(Field.DESTINATION))
                .with(Field.KEY, Fallback.to(Field.AGGREGATE_ID))
                .with(Field.DESTINATION, "channel")
                .with(Field.PAYLOAD, "messageBody")
                .with(Field.STATUS, "deliveryStatus")
                .with(Field.ATTEMPTS, "attemptCount")
                .with(Field.DUE_AT, "nextAttemptAt")
                .with(Field.CREATED_AT, "occurredAt")
                .with(Field.SETTLED_AT, "deliveredAt")
                .with(Field.LAST_ERROR, "errorMessage"));
  }

  @ParameterizedTest
  @CsvSource({
    "QUEUED, QUEUED, DELIVERED, FAILED",
    "unsent, unsent, delivered, failed",
    "Ready, Ready, Delivered, Failed",
    "done, pending, done, failed",
    "DEAD_LETTER, PENDING, DELIVERED, DEAD_LETTER"
  })
  void wordsKeepTheirCaseAndTheMissingOnesTakeIt(
      String inTheData, String pending, String delivered, String dead) {
    Recognised found = recognised(SMALL, Rows.withStatus(inTheData));

    assertThat(found.layout().statuses()).isEqualTo(Statuses.of(pending, delivered, dead));
    assertThat(found.remarks()).anySatisfy(each -> assertThat(each).contains("no row has '"));
  }

  @Test
  void theDefaultOfTheStatusIsTheWordForPending() {
    TableShape shape =
        Shapes.table(
            "mails",
            """
            id uuid not null unique
            topic text not null
            payload text not null
            status text not null default 'FRESH'
            published_at timestamptz""");

    assertThat(recognised(shape, Rows.none()).layout().statuses())
        .as("and the name of a time is the word for delivered")
        .isEqualTo(Statuses.of("FRESH", "PUBLISHED", "FAILED"));
  }

  @Test
  void wordsThatAColumnMayHoldCountThoughNoRowHasThem() {
    TableShape shape =
        Shapes.table(
            "mails",
            """
            id uuid not null unique
            topic text not null
            payload text not null
            status enum not null in queued,locked,dispatched,poison,cancelled""");

    Recognised found = recognised(shape, Rows.withStatus("dispatched"));

    assertThat(found.layout().statuses())
        .isEqualTo(Statuses.of("queued", "dispatched", "poison").withProcessing("locked"));
    assertThat(found.remarks())
        .anySatisfy(each -> assertThat(each).startsWith("status may be 'cancelled'"));
  }

  @Test
  void aStatusWithoutAWordForBeingWorkedOnIsRemarked() {
    assertThat(recognised(SMALL, Rows.withStatus("PENDING", "SENT", "FAILED")).remarks())
        .anySatisfy(each -> assertThat(each).contains(".withProcessing(...)"));
    assertThat(recognised(SMALL, Rows.withStatus("PENDING", "LOCKED")).remarks())
        .noneSatisfy(each -> assertThat(each).contains(".withProcessing(...)"));
  }

  @Test
  void twoCandidatesForAFieldAreBothNamed() {
    TableShape shape =
        Shapes.table(
            "mails",
            """
            id uuid not null unique
            topic text not null
            queue text
            payload text not null
            status text not null""");

    Recognised found = recognised(shape, Rows.none());

    assertThat(found.layout().column(Field.DESTINATION)).hasValue("topic");
    assertThat(found.remarks())
        .contains(
            "topic is taken as the DESTINATION; queue could be meant too and is left alone:"
                + " .with(Field.DESTINATION, \"queue\")");
  }

  @Test
  void ofTwoIdsTheUniqueOneIsTaken() {
    TableShape shape =
        Shapes.table(
            "mails",
            """
            id number not null default
            event_id uuid not null unique
            topic text not null
            payload text not null
            status text not null""");

    Recognised found = recognised(shape, Rows.none());

    assertThat(found.layout().column(Field.ID)).hasValue("event_id");
    assertThat(found.remarks())
        .anySatisfy(each -> assertThat(each).startsWith("event_id is taken as the ID; id could"));
  }

  @Test
  void aKeyOfAnyNameIsAnId() {
    TableShape shape =
        Shapes.table(
            "mails",
            """
            mail_no number not null default unique
            topic text not null
            payload text not null
            status text not null""");

    Recognised found = recognised(shape, Rows.none());

    assertThat(found.layout().column(Field.ID)).hasValue("mail_no");
    assertThat(found.remarks()).anySatisfy(each -> assertThat(each).startsWith("mail_no is taken"));
  }

  @ParameterizedTest
  @CsvSource({"json", "text"})
  void headersAreLeftAloneAndRemarked(String kind) {
    TableShape shape =
        Shapes.table(
            "mails",
            """
            id uuid not null unique
            topic text not null
            payload text not null
            status text not null
            headers %s"""
                .formatted(kind));

    Recognised found = recognised(shape, Rows.none());

    assertThat(found.layout().column(Field.HEADERS)).isEmpty();
    assertThat(found.remarks())
        .anySatisfy(each -> assertThat(each).startsWith("headers is left alone"));
  }

  @Test
  void aCategoryIsTakenOnlyWithItsThreeWords() {
    TableShape shape =
        Shapes.table(
            "mails",
            """
            id uuid not null unique
            topic text not null
            payload text not null
            status text not null
            category text""");
    Rows ours = Rows.none().and("category", WordRows.of("command", 3));
    Rows theirs = ours.and("category", WordRows.of("billing", 1));

    assertThat(recognised(shape, ours).layout().column(Field.CATEGORY)).hasValue("category");
    assertThat(recognised(shape, theirs).layout().column(Field.CATEGORY)).isEmpty();
    assertThat(recognised(shape, theirs).remarks())
        .anySatisfy(each -> assertThat(each).contains("category is left alone", "billing"));
  }

  @Test
  void aNameWhoseKindDoesNotFitIsLeftAloneAndRemarked() {
    TableShape shape =
        Shapes.table(
            "mails",
            """
            id uuid not null unique
            topic text not null
            payload text not null
            status text not null
            created_at number""");

    Recognised found = recognised(shape, Rows.none());

    assertThat(found.layout().column(Field.CREATED_AT)).isEmpty();
    assertThat(found.remarks())
        .contains(
            "created_at has the name of the CREATED_AT but holds NUMBER, not TIME_WITH_ZONE or"
                + " TIME_WITHOUT_ZONE; it is left alone");
  }

  @Test
  void aTableWithoutAnyMarkOfDeliveryGetsAStatusAndARemarkWithTheNumberOfRows() {
    TableShape shape =
        Shapes.table(
            "mails",
            """
            id uuid not null unique
            topic text not null
            payload text not null""");

    Recognised found = recognised(shape, Rows.of(42));

    assertThat(found.layout().column(Field.STATUS)).isEmpty();
    assertThat(found.rows()).containsExactly(WordRows.without(42));
    assertThat(found.remarks())
        .anySatisfy(each -> assertThat(each).contains("all its rows (42) count as pending"));
  }

  @Test
  void questionsThatOnlyAPersonCanAnswerAreRemarks() {
    TableShape shape =
        Shapes.table(
            "mails",
            """
            id uuid not null unique
            topic text not null
            routing_key number not null
            aggregate_type text not null
            payload text not null
            status text not null
            attempts number
            version number
            created_at timestamp""");

    assertThat(recognised(shape.withExpiry("mails_ttl"), Rows.none()).remarks())
        .anySatisfy(each -> assertThat(each).contains("attempts", "Counting.AT_CLAIM"))
        .anySatisfy(each -> assertThat(each).contains("version", "counts changes of the row"))
        .anySatisfy(each -> assertThat(each).contains("tried 8 times", ".withExecutions"))
        .anySatisfy(each -> assertThat(each).contains("NOT NULL here: KEY (routing_key)"))
        .anySatisfy(each -> assertThat(each).contains("created_at without a time zone", "as UTC;"))
        .anySatisfy(each -> assertThat(each).contains("mails_ttl removes old rows already"));
  }

  @Test
  void aPersonCanNameColumns() {
    TableShape shape =
        Shapes.table(
            "mails",
            """
            id number not null default unique
            event_id uuid not null unique
            payload text not null
            data text
            status text not null""");
    Recogniser told =
        Recogniser.ofTables()
            .with(Field.ID, "event_id")
            .with(Field.PAYLOAD, "data")
            .with(Field.DESTINATION, Fallback.to("mails"));

    Recognition found = told.recognise(shape, Rows.none());

    assertThat(found.problems())
        .as("payload is NOT NULL and not filled by then")
        .extracting(Problem::where)
        .containsExactly("payload");
    assertThat(told.with(Field.PAYLOAD, "payload").recognise(shape, Rows.none()).found())
        .hasValueSatisfying(
            layout -> {
              assertThat(layout.column(Field.ID)).hasValue("event_id");
              assertThat(layout.fallback(Field.DESTINATION)).hasValue(Fallback.to("mails"));
            });
  }

  private static Recognised recognised(TableShape shape, RowCounter rows) {
    Recogniser recogniser =
        shape.form() == TableShape.Form.TABLE ? Recogniser.ofTables() : Recogniser.ofCollections();
    Recognition found = recogniser.recognise(shape, rows);
    assertThat(found.problems()).isEmpty();
    return (Recognised) found;
  }
}
