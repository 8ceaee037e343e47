# The functions of Perl files as PPI sees them: for each path of standard input "= PATH" and then "NAME FIRST-LAST".
# A file that PPI cannot read is left out.
use strict;
use warnings;
use PPI;

while (my $path = <STDIN>) {
    chomp $path;
    my $document = PPI::Document->new($path) or next;
    print "= $path\n";
    for my $sub (@{ $document->find('PPI::Statement::Sub') || [] }) {
        next unless $sub->block && $sub->name && $sub->name ne 'BEGIN' && !$sub->isa('PPI::Statement::Scheduled');
        my ($name) = $sub->name =~ /(\w+)$/;
        my $last = $sub->block->finish or next;
        printf "%s %d-%d\n", $name, $sub->line_number, $last->line_number;
    }
}
