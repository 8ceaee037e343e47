/* code/function_tree_rows.c -- which nodes of a grammar's trees are functions and classes. */
#include "code/function_tree.h"

#ifdef HAVE_TREE

extern tree_grammar tree_sitter_bash, tree_sitter_c, tree_sitter_c_sharp, tree_sitter_cpp, tree_sitter_go,
    tree_sitter_java, tree_sitter_javascript, tree_sitter_kotlin, tree_sitter_php, tree_sitter_php_only,
    tree_sitter_python, tree_sitter_ruby, tree_sitter_rust, tree_sitter_scala, tree_sitter_tsx, tree_sitter_typescript;

#define FUNCTION(...) { .role = TREE_FUNCTION, .body = "body", .type = __VA_ARGS__ }
#define CLASS(...)    { .role = TREE_CLASS, .type = __VA_ARGS__ }
#define UNNAMED(name) { .role = TREE_CLASS, .type = name, .naming = NAMED_NOT }
#define BINDING(name) { .role = TREE_BINDING, .type = name }
#define SCRIPT(name)  FUNCTION(name, .naming = NAMED_SCRIPT, .body_type = "statement_block")

static const struct tree_node of_bash[] = {
    FUNCTION("function_definition", .ends_with_body = true), { .type = NULL },
};

static const struct tree_node of_cpp[] = {
    FUNCTION("function_definition", .naming = NAMED_DECLARATOR),
    CLASS("class_specifier", .naming = NAMED_LAST), CLASS("struct_specifier", .naming = NAMED_LAST),
    CLASS("union_specifier", .naming = NAMED_LAST), { .type = NULL },
};

static const struct tree_node of_csharp[] = {
    FUNCTION("method_declaration"), FUNCTION("constructor_declaration"), FUNCTION("local_function_statement"),
    FUNCTION("destructor_declaration", .naming = NAMED_TILDE),
    FUNCTION("operator_declaration", .naming = NAMED_OPERATOR),
    FUNCTION("conversion_operator_declaration", .naming = NAMED_OPERATOR),
    CLASS("class_declaration"), CLASS("struct_declaration"), CLASS("record_declaration"),
    CLASS("interface_declaration"), { .type = NULL },
};

static const struct tree_node of_go[] = {
    FUNCTION("function_declaration"), FUNCTION("method_declaration", .naming = NAMED_RECEIVER), { .type = NULL },
};

static const struct tree_node of_java[] = {
    FUNCTION("method_declaration"), FUNCTION("constructor_declaration"), FUNCTION("compact_constructor_declaration"),
    CLASS("class_declaration"), CLASS("interface_declaration"), CLASS("enum_declaration"), CLASS("record_declaration"),
    CLASS("annotation_type_declaration"), CLASS("enum_constant"), UNNAMED("object_creation_expression"),
    { .type = NULL },
};

static const struct tree_node of_kotlin[] = {
    { .role = TREE_FUNCTION, .type = "function_declaration", .body_type = "function_body" },
    CLASS("class_declaration"), CLASS("object_declaration"), CLASS("companion_object"), UNNAMED("object_literal"),
    { .type = NULL },
};

static const struct tree_node of_php[] = {
    FUNCTION("function_definition"), FUNCTION("method_declaration"),
    CLASS("class_declaration"), CLASS("interface_declaration"), CLASS("trait_declaration"), CLASS("enum_declaration"),
    UNNAMED("anonymous_class"), { .type = NULL },
};

static const struct tree_node of_python[] = {
    FUNCTION("function_definition"), CLASS("class_definition"), { .type = NULL },
};

static const struct tree_node of_ruby[] = {
    FUNCTION("method", .bodiless = true), FUNCTION("singleton_method", .bodiless = true),
    CLASS("class", .naming = NAMED_LAST), CLASS("module", .naming = NAMED_LAST), UNNAMED("singleton_class"),
    { .type = NULL },
};

static const struct tree_node of_rust[] = {
    FUNCTION("function_item"), CLASS("impl_item", .naming = NAMED_TYPE), CLASS("trait_item"), { .type = NULL },
};

static const struct tree_node of_scala[] = {
    FUNCTION("function_definition"), CLASS("class_definition"), CLASS("object_definition"), CLASS("trait_definition"),
    CLASS("enum_definition"), CLASS("package_object"), UNNAMED("instance_expression"), { .type = NULL },
};

/* JavaScript's, and those of TypeScript, which the other has not. */
static const struct tree_node of_script[] = {
    SCRIPT("function_declaration"), SCRIPT("generator_function_declaration"), SCRIPT("function_expression"),
    SCRIPT("generator_function"), SCRIPT("arrow_function"), SCRIPT("method_definition"),
    CLASS("class_declaration"), CLASS("class"), CLASS("abstract_class_declaration"), CLASS("interface_declaration"),
    CLASS("internal_module"), CLASS("module"), CLASS("enum_declaration"),
    BINDING("variable_declarator"), BINDING("field_definition"), BINDING("public_field_definition"),
    BINDING("assignment_expression"), BINDING("pair"), BINDING("assignment_pattern"),
    BINDING("object_assignment_pattern"), BINDING("required_parameter"), BINDING("optional_parameter"),
    { .type = "lexical_declaration", .role = TREE_DECLARATION },
    { .type = "variable_declaration", .role = TREE_DECLARATION }, { .type = NULL },
};

const struct tree_row tree_rows[] = {
    { "c", tree_sitter_c, tree_sitter_cpp, NULL, true, of_cpp },           /* a header may be C++ */
    { "cpp", tree_sitter_cpp, NULL, NULL, true, of_cpp },
    { "csharp", tree_sitter_c_sharp, NULL, NULL, false, of_csharp },
    { "go", tree_sitter_go, NULL, NULL, false, of_go },
    { "java", tree_sitter_java, NULL, NULL, false, of_java },
    { "javascript", tree_sitter_javascript, NULL, NULL, false, of_script },
    { "kotlin", tree_sitter_kotlin, NULL, NULL, false, of_kotlin },
    { "php", tree_sitter_php, tree_sitter_php_only, "<?", false, of_php },
    { "python", tree_sitter_python, NULL, NULL, false, of_python },
    { "ruby", tree_sitter_ruby, NULL, NULL, false, of_ruby },
    { "rust", tree_sitter_rust, NULL, NULL, false, of_rust },
    { "scala", tree_sitter_scala, NULL, NULL, false, of_scala },
    { "shell", tree_sitter_bash, NULL, NULL, false, of_bash },
    { "typescript", tree_sitter_typescript, tree_sitter_tsx, NULL, false, of_script },
    { NULL, NULL, NULL, NULL, false, NULL },
};

#endif
