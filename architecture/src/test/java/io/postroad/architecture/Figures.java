package io.postroad.architecture;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Measures how the main code of the published modules reads. {@code bin/figures} prints the table;
 * {@link DriftTest} compares {@link OfModule} with the recorded figures.
 */
public final class Figures {
  /** Longest file of which a reader keeps the overview. */
  private static final int LONG_FILE = 400;

  private static final int MOST_PARAMETERS = 6;
  private static final int MOST_COMPONENTS = 8;

  private static final Set<String> PRONOUNS =
      Set.of("who", "whom", "whoever", "nobody", "somebody");

  /** Words that end like a verb in the third person and are none. */
  private static final Set<String> NO_VERBS =
      Set.of(
          """
              this its yes always as is has was does thus perhaps others unless less times
              messages commands processes steps keys lanes rows nodes results values names stores
              handlers replies events texts types columns fields tables documents collections
              contracts tests threads leases ways headers units questions tickets letters rules
              settings properties options statements transactions what's those these whether sends
              hints dead indexes methods classes records seconds places layouts definitions
              operations numbers words errors defaults limits claims destinations payloads ids
              signals instances lists maps branches timers cursors gaps voids topics queues
              partitions sessions connections servers sources consumers producers dots parts lines
              spans traces meters gauges beans parameters arguments besides
              """
              .split("\\s+"));

  /** Figures of one module that may only go down. */
  static final class OfModule {
    int longFiles;
    int wideConstructors;
    int wideRecords;
    int pronouns;
    int what;
  }

  private final Map<String, OfModule> modules = new TreeMap<>();
  private final Map<String, Integer> packages = new TreeMap<>();
  private final Map<String, Set<String>> simpleNames = new TreeMap<>();
  private final Map<String, Set<String>> namesOf = new TreeMap<>();
  private final List<String> longConstructors = new ArrayList<>();
  private final List<String> wideRecords = new ArrayList<>();
  private final Map<String, Integer> spi = new TreeMap<>();
  private int publicTypes;
  private int publicNested;
  private int lines;
  private int sentences;
  private int verbs;
  private int busLines;
  private int busMethods;

  private Figures() {}

  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments.length > 0 ? arguments[0] : ".");
    measure(root).print(root);
  }

  /** Reads the main code of all modules that the BOM names. */
  static Figures measure(Path root) throws IOException {
    Figures figures = new Figures();
    for (String module : published(root)) {
      figures.read(module, root.resolve(module).resolve("src/main/java"));
    }
    return figures;
  }

  /** Returns the modules of the BOM; artifact {@code postroad-NAME} is in directory NAME. */
  static List<String> published(Path root) throws IOException {
    return Pattern.compile("<artifactId>postroad-(?!bom)([\\w-]+)</artifactId>")
        .matcher(Files.readString(root.resolve("bom/pom.xml")))
        .results()
        .map(each -> each.group(1))
        .toList();
  }

  Map<String, OfModule> modules() {
    return modules;
  }

  private void read(String module, Path source) throws IOException {
    OfModule counts = modules.computeIfAbsent(module, each -> new OfModule());
    List<Path> files;
    try (Stream<Path> all = Files.walk(source)) {
      files = all.filter(file -> file.toString().endsWith(".java")).toList();
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files));
      DocTrees docs = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        Path file = Path.of(unit.getSourceFile().toUri());
        int length = Files.readAllLines(file).size();
        if (!module.equals("tck")) {
          lines += length;
        }
        if (length > LONG_FILE) {
          counts.longFiles++;
        }
        String pack = String.valueOf(unit.getPackageName());
        if (!file.endsWith("package-info.java")) {
          packages.merge(pack, 1, Integer::sum);
        }
        new Visitor(new Unit(module, counts, pack, length), docs).scan(unit, null);
      }
    }
  }

  private record Unit(String module, OfModule counts, String pack, int length) {}

  @SuppressWarnings("VoidUsed") // a visitor hands on the parameter that it does not use
  private final class Visitor extends TreePathScanner<Void, Void> {
    private final String module;
    private final OfModule counts;
    private final String pack;
    private final int length;
    private final DocTrees docs;

    Visitor(Unit unit, DocTrees docs) {
      this.module = unit.module();
      this.counts = unit.counts();
      this.pack = unit.pack();
      this.length = unit.length();
      this.docs = docs;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      String name = type.getSimpleName().toString();
      boolean isTop = getCurrentPath().getParentPath().getLeaf() instanceof CompilationUnitTree;
      boolean isInternal = (pack + ".").contains(".internal.");
      boolean isPublic = type.getModifiers().getFlags().contains(Modifier.PUBLIC);
      if (isTop) {
        simpleNames.computeIfAbsent(name, each -> new TreeSet<>()).add(pack);
        namesOf.computeIfAbsent(module, each -> new TreeSet<>()).add(name);
      }
      if (module.equals("core") && !isInternal && !pack.contains(".spi")) {
        if (isTop && isPublic) {
          publicTypes++;
        } else if (!isTop && isPublic) {
          publicNested++;
        }
      }
      if (isTop
          && type.getKind() == Tree.Kind.INTERFACE
          && pack.matches("io\\.postroad\\.(spi|store)")) {
        spi.put(
            name,
            (int)
                type.getMembers().stream()
                    .filter(
                        member ->
                            member instanceof MethodTree method
                                && !method.getModifiers().getFlags().contains(Modifier.STATIC))
                    .count());
      }
      if (type.getKind() == Tree.Kind.RECORD
          && !name.endsWith("Options")
          && !name.endsWith("Properties")) {
        long components =
            type.getMembers().stream()
                .filter(
                    member ->
                        member instanceof VariableTree field
                            && !field.getModifiers().getFlags().contains(Modifier.STATIC))
                .count();
        if (components > MOST_COMPONENTS) {
          counts.wideRecords++;
          wideRecords.add(name + " " + components);
        }
      }
      if (name.equals("CommandBus")) {
        busLines = length;
        busMethods =
            (int)
                type.getMembers().stream()
                    .filter(
                        member ->
                            member instanceof MethodTree method
                                && method.getModifiers().getFlags().contains(Modifier.PUBLIC))
                    .count();
      }
      doc();
      return super.visitClass(type, unused);
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      if (method.getReturnType() == null && method.getParameters().size() > MOST_PARAMETERS) {
        ClassTree owner = (ClassTree) getCurrentPath().getParentPath().getLeaf();
        if (owner.getKind() != Tree.Kind.RECORD) {
          counts.wideConstructors++;
          longConstructors.add(owner.getSimpleName() + " " + method.getParameters().size());
        }
      }
      doc();
      return super.visitMethod(method, unused);
    }

    @Override
    public Void visitVariable(VariableTree variable, Void unused) {
      doc();
      return super.visitVariable(variable, unused);
    }

    private void doc() {
      TreePath path = getCurrentPath();
      DocCommentTree doc = docs.getDocCommentTree(path);
      if (doc == null) {
        return;
      }
      String text =
          doc.toString()
              .replaceAll("(?s)<pre>.*?</pre>", "")
              .replaceAll("\\{@\\w+\\s+([^}]*)\\}", "$1")
              .replaceAll("<[^>]+>", " ")
              .replaceAll("(?m)^\\s*@(param|return|throws)\\s+(<?\\w+>?)?", ". ");
      for (String sentence : text.split("(?<=[.!?:])\\s+")) {
        String[] words = sentence.trim().split("[^A-Za-z']+");
        if (words.length < 2) {
          continue;
        }
        sentences++;
        String first = words[0].isEmpty() ? words[1] : words[0];
        if (Stream.of(words).anyMatch(word -> PRONOUNS.contains(word.toLowerCase(Locale.ROOT)))) {
          counts.pronouns++;
        }
        if (first.equals("What")) {
          counts.what++;
        }
        if (first.matches("[A-Z][a-z]+s") && !NO_VERBS.contains(first.toLowerCase(Locale.ROOT))) {
          verbs++;
        }
      }
    }
  }

  private void print(Path root) throws IOException {
    List<Integer> sizes = packages.values().stream().sorted().toList();
    int largest = sizes.get(sizes.size() - 1);
    String biggest =
        packages.entrySet().stream()
            .filter(each -> each.getValue() == largest)
            .findFirst()
            .orElseThrow()
            .getKey();
    row("packages", packages.size(), "");
    row(
        "classes per package, median / max",
        sizes.get(sizes.size() / 2) + " / " + largest,
        "<= 12 / <= 30; largest: " + biggest);
    row(
        "public top-level types of core outside spi and internal (+ nested)",
        publicTypes + " (+ " + publicNested + ")",
        "<= 115");
    String most =
        spi.entrySet().stream()
            .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
            .limit(4)
            .toList()
            .toString();
    row("methods per SPI interface, largest", most, "about 10");
    row("CommandBus lines / public methods", busLines + " / " + busMethods, "<= 400 / 16");
    row("constructors above 6 parameters", longConstructors.size() + " " + longConstructors, "0");
    row(
        "records above 8 components, options left out",
        wideRecords.size() + " " + wideRecords,
        "0");
    row("Javadoc sentences", sentences, "");
    row(
        "per 1,000: with who, whoever, nobody, somebody",
        per(modules.values().stream().mapToInt(each -> each.pronouns).sum()),
        "< 2");
    row(
        "per 1,000: begin with What",
        per(modules.values().stream().mapToInt(each -> each.what).sum()),
        "< 5");
    row("per 1,000: begin with a third-person verb (by its ending)", per(verbs), "> 90");
    row(
        "simple class names used more than once",
        simpleNames.values().stream().filter(each -> each.size() > 1).count(),
        "<= 20");
    row(
        "classes of one name in postgres and mongodb",
        common("postgres", "mongodb"),
        "no rule twice");
    row(
        "classes of one name in the Spring Boot starter and micronaut",
        common("spring-boot-starter", "micronaut"),
        "no rule twice");
    row(
        "files above %d lines".formatted(LONG_FILE),
        modules.values().stream().mapToInt(each -> each.longFiles).sum(),
        "");
    row("lines of main code, without the TCK", lines, "<= 72,000");
    walks(root.resolve("docs/architecture.md"));
  }

  private void walks(Path page) throws IOException {
    if (!Files.exists(page)) {
      return;
    }
    Map<String, String> aims = Map.of("1", "<= 60", "2", "<= 40", "3", "<= 65");
    Matcher walk =
        Pattern.compile("(?s)## Walk (\\d): ([^\\n]*)\\n(.*?)(?=\\n## )")
            .matcher(Files.readString(page));
    while (walk.find()) {
      Set<String> types = new TreeSet<>();
      Matcher name = Pattern.compile("`([A-Z]\\w+)").matcher(walk.group(3));
      while (name.find()) {
        types.add(name.group(1));
      }
      row(
          "types named on the walk " + walk.group(2),
          types.size(),
          aims.getOrDefault(walk.group(1), ""));
    }
  }

  private long common(String one, String other) {
    return namesOf.get(one).stream()
        .filter(namesOf.get(other)::contains)
        .filter(name -> !name.equals("package-info"))
        .count();
  }

  private String per(int count) {
    return String.valueOf(Math.round(1000.0 * count / Math.max(1, sentences)));
  }

  private static void row(String what, Object value, String aim) {
    System.out.printf("| %s | %s | %s |%n", what, value, aim);
  }
}
