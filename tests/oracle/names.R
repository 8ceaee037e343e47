# The names that R's own parser finds in files: for each path of standard input "= PATH" and then a name a line.  A file
# that it finds errors in is left out.  An operator between percent signs is no name; one in quotes begins with a quote.
for (path in readLines(file("stdin"))) {
    data <- tryCatch(getParseData(parse(path, keep.source = TRUE, encoding = "UTF-8")), error = function(e) NULL)
    if (is.null(data)) next
    leaves <- data[data$terminal & !(data$token %in% c("STR_CONST", "NUM_CONST", "COMMENT", "SPECIAL")), ]
    names <- grepl("^([[:alpha:]_.]|`)", leaves$text)
    writeLines(c(paste("=", path), sub("`$", "", leaves$text[names])))
}
