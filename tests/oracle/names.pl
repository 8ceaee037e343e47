# The names that PPI finds in files: for each path of standard input "= PATH" and then a name a line.  A file that PPI
# cannot take apart, or that takes it more than 20 seconds, is left out.
use strict;
use warnings;
use PPI;

$| = 1;
my @with_names = map { "PPI::Token::$_" } qw(Word Symbol ArrayIndex Magic Label Prototype Attribute Operator);

while (my $path = <STDIN>) {
    chomp $path;
    my $child = fork;
    if ($child) { waitpid $child, 0; next }
    alarm 20;
    my $tokenizer = PPI::Tokenizer->new($path) or exit;
    my $tokens = eval { $tokenizer->all_tokens } or exit;
    my @names;
    for my $token (@$tokens) {
        my $text = $token->content;
        if (grep { $token->isa($_) } @with_names) {
            push @names, grep { !/^\d/ } $text =~ /(\w+)/g;
        } elsif ($token->isa('PPI::Token::QuoteLike::Readline') && $text =~ /^<\$?([\w:]+)>$/) {
            push @names, split /::/, $1;
        }
    }
    print join("\n", "= $path", @names), "\n";
    exit;
}
