# The names that Ruby's own lexer, Ripper, finds in files: for each path of standard input "= PATH" and then a name a
# line.  A file that Ruby's parser finds errors in is left out.
require 'ripper'

WITH_NAMES = %i[on_ident on_const on_kw on_ivar on_cvar on_gvar on_label]

STDIN.each_line(chomp: true) do |path|
  text = File.binread(path).force_encoding('UTF-8')
  next unless text.valid_encoding?
  parser = Ripper.new(text)
  parser.parse
  next if parser.error?
  puts "= #{path}"
  Ripper.lex(text).each do |_, token, word|
    puts word.scan(/[[:alpha:]_][[:alnum:]_]*/) if WITH_NAMES.include?(token)
  end
end
