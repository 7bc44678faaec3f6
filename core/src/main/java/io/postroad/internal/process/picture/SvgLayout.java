package io.postroad.internal.process.picture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Places the shapes of a picture in layers from top to bottom, each as far down as the longest way
 * to it. An arrow over several layers gets a place in each, so that it crosses no shape. In a layer
 * each shape is as near as possible to its predecessors. Used by one thread.
 */
public final class SvgLayout {
  static final int LINE = 16;
  static final int GAP = 30;
  private static final int MARGIN = 20;
  private static final int LAYER_GAP = 44;
  private static final int PADDING = 12;
  private static final int CHARACTER = 8;

  private final Picture picture;
  private final Map<String, PictureShape> shapes = new LinkedHashMap<>();
  private final Map<String, Integer> layers = new LinkedHashMap<>();
  private final Map<String, List<String>> before = new HashMap<>();
  private final Map<Picture.Arrow, List<String>> ways = new LinkedHashMap<>();
  private final Map<String, Place> places = new LinkedHashMap<>();

  private SvgLayout(Picture picture) {
    this.picture = picture;
    picture.shapes().forEach(shape -> shapes.put(shape.id(), shape));
  }

  /**
   * The place of a shape, or of an arrow in a layer.
   *
   * @param x of its middle
   * @param y of its top
   */
  record Place(int x, int y, int width, int height) {
    int left() {
      return x - width / 2;
    }

    int right() {
      return left() + width;
    }

    int bottom() {
      return y + height;
    }

    Place movedBy(int distance) {
      return new Place(x + distance, y, width, height);
    }
  }

  public static SvgLayout of(Picture picture) {
    SvgLayout layout = new SvgLayout(picture);
    layout.rank();
    layout.lead();
    layout.place();
    layout.moveIntoView();
    return layout;
  }

  Place place(String id) {
    return Objects.requireNonNull(places.get(id), id);
  }

  /** Returns the places of an arrow, its two ends included. */
  List<Place> way(Picture.Arrow arrow) {
    return ways.getOrDefault(arrow, List.of()).stream().map(this::place).toList();
  }

  /** Returns the place of an undo, beside its shape. */
  Place undo(PictureShape shape) {
    Place place = place(shape.id());
    int width = undoWidth(shape);
    return new Place(place.right() + GAP + width / 2, place.y(), width, LINE + PADDING);
  }

  int width() {
    return places.keySet().stream().mapToInt(this::rightOf).max().orElse(0) + MARGIN;
  }

  int height() {
    return places.values().stream().mapToInt(Place::bottom).max().orElse(0) + MARGIN;
  }

  /**
   * Places each shape below its predecessors; stops after as many rounds as shapes, because stored
   * text may have circles.
   */
  private void rank() {
    shapes.keySet().forEach(id -> layers.put(id, 0));
    for (int round = 0; round < shapes.size() && pushDown(); round++) {}
  }

  private boolean pushDown() {
    boolean isChanged = false;
    for (Picture.Arrow arrow : picture.arrows()) {
      int least = layer(arrow.from()) + 1;
      if (layer(arrow.to()) < least) {
        layers.put(arrow.to(), least);
        isChanged = true;
      }
    }
    return isChanged;
  }

  private int layer(String id) {
    return layers.getOrDefault(id, 0);
  }

  private void lead() {
    int number = 0;
    for (Picture.Arrow arrow : picture.arrows()) {
      List<String> way = new ArrayList<>(List.of(arrow.from()));
      number++;
      for (int layer = layer(arrow.from()) + 1; layer < layer(arrow.to()); layer++) {
        String bend = "(arrow %d at %d)".formatted(number, layer);
        layers.put(bend, layer);
        way.add(bend);
      }
      way.add(arrow.to());
      for (int i = 1; i < way.size(); i++) {
        before.computeIfAbsent(way.get(i), id -> new ArrayList<>()).add(way.get(i - 1));
      }
      ways.put(arrow, way);
    }
  }

  private void place() {
    Map<Integer, List<String>> rows =
        layers.keySet().stream().collect(Collectors.groupingBy(this::layer));
    int y = MARGIN;
    for (int layer = 0; layer < rows.size(); layer++) {
      List<String> row = rows.getOrDefault(layer, List.of());
      int height = row.stream().mapToInt(this::heightOf).max().orElse(0);
      placeRow(row, y, height);
      y += height + LAYER_GAP;
    }
  }

  private void placeRow(List<String> row, int y, int height) {
    List<String> sorted = row.stream().sorted(Comparator.comparingInt(this::wish)).toList();
    int right = Integer.MIN_VALUE / 2;
    int late = 0;
    for (String id : sorted) {
      int x = Math.max(wish(id), right + GAP + widthOf(id) / 2);
      int own = shapes.containsKey(id) ? heightOf(id) : height;
      places.put(id, new Place(x, y, widthOf(id), own));
      right = rightOf(id);
      late += x - wish(id);
    }
    int back = sorted.isEmpty() ? 0 : late / sorted.size();
    sorted.forEach(id -> places.computeIfPresent(id, (same, place) -> place.movedBy(-back)));
  }

  /** Returns the middle of the predecessors. */
  private int wish(String id) {
    return (int)
        before.getOrDefault(id, List.of()).stream()
            .filter(places::containsKey)
            .mapToInt(each -> place(each).x())
            .average()
            .orElse(0);
  }

  private void moveIntoView() {
    int left = places.values().stream().mapToInt(Place::left).min().orElse(0);
    places.replaceAll((id, place) -> place.movedBy(MARGIN - left));
  }

  private int rightOf(String id) {
    PictureShape shape = shapes.get(id);
    int undo = shape == null || shape.undo().isEmpty() ? 0 : GAP + undoWidth(shape);
    return place(id).right() + undo;
  }

  private static int undoWidth(PictureShape shape) {
    return shape.undo().map(SvgLayout::textWidth).orElse(0);
  }

  private int widthOf(String id) {
    PictureShape shape = shapes.get(id);
    if (shape == null) {
      return 0;
    }
    int text = shape.lines().stream().mapToInt(SvgLayout::textWidth).max().orElse(0);
    return shape.form() == PictureShape.Form.CHOICE ? text + 2 * PADDING : text;
  }

  private static int textWidth(String text) {
    return text.length() * CHARACTER + 2 * PADDING;
  }

  private int heightOf(String id) {
    PictureShape shape = shapes.get(id);
    return shape == null ? LINE : shape.lines().size() * LINE + PADDING;
  }
}
