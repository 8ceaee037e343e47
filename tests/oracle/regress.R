# Data for `leakgraph regress`, and what R and lme4 make of them.
#   Rscript regress.R FOLDER SEEDS
# FOLDER gets a CSV a data set, cases.tsv (case, formula, options, data) and wanted.tsv (case, kind, name, values).
suppressMessages(library(lme4))
args <- commandArgs(trailingOnly = TRUE)
folder <- args[1]
seeds <- as.integer(args[2])
options(warn = -1)

# as near to the best as the optimiser comes: the defaults stop at four digits, and so would the comparison
linear <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5), calc.derivs = FALSE)
hits <- glmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-7, maxfun = 1e5), tolPwrss = 1e-12)

cases <- wanted <- list()
say <- function(...) wanted[[length(wanted) + 1]] <<- paste(..., sep = "\t")
number <- function(x) formatC(x, digits = 17, format = "g")

# Errors of a glmer fit from second differences of its own deviance.  lme4's have steps of 1e-4, in which the tolerance
# of its inner search shows now and then: an element of the curvature was 87 where steps of 1e-3 to 3e-2 say 5.
curvature_errors <- function(fit) {
    deviance <- update(fit, devFunOnly = TRUE)
    at <- c(getME(fit, "theta"), fixef(fit))
    free <- c(which(getME(fit, "theta") > 1e-5), length(getME(fit, "theta")) + seq_along(fixef(fit)))
    step <- pmin(0.005, c(0.1 * getME(fit, "theta"), rep(1, length(fixef(fit)))))
    moved <- function(i, s, j, t) {
        point <- at
        point[i] <- point[i] + s * step[i]
        point[j] <- point[j] + t * step[j]
        deviance(point)
    }
    curvature <- outer(free, free, Vectorize(function(i, j)
        (moved(i, 1, j, 1) - moved(i, 1, j, -1) - moved(i, -1, j, 1) + moved(i, -1, j, -1)) / (4 * step[i] * step[j])))
    sqrt(tail(diag(2 * solve(curvature)), length(fixef(fit))))
}

errors_of <- function(fit) if (is(fit, "glmerMod")) curvature_errors(fit) else sqrt(diag(as.matrix(vcov(fit))))

tell <- function(case, fit, formula, options, data) {
    cases[[length(cases) + 1]] <<- paste(case, formula, options, data, sep = "\t")
    table <- if (is(fit, "merMod")) cbind(fixef(fit), errors_of(fit)) else
        summary(fit)$coefficients[, 1:2, drop = FALSE]
    statistic <- table[, 1] / table[, 2]
    p <- if (class(fit)[1] == "lm") 2 * pt(-abs(statistic), fit$df.residual) else 2 * pnorm(-abs(statistic))
    for (i in seq_len(nrow(table)))
        say(case, "coefficient", rownames(table)[i], number(table[i, 1]), number(table[i, 2]), number(p[i]))
    if (is(fit, "merMod")) {
        parts <- as.data.frame(VarCorr(fit))
        for (i in seq_len(nrow(parts))) say(case, "variance", parts$grp[i], number(parts$vcov[i]))
    }
    say(case, "fit", "", number(as.numeric(logLik(fit))), number(AIC(fit)), number(BIC(fit)))
}

# NULL where lme4 gives up: then there is nothing to compare with
attempt <- function(case, fit) tryCatch(fit, error = function(e) { say(case, "failed", conditionMessage(e)); NULL })

both <- function(case, formula, data, name) for (reml in c(TRUE, FALSE)) {
    this <- paste0(case, if (reml) ".reml" else ".ml")
    fit <- attempt(this, lmer(as.formula(formula), data, REML = reml, control = linear))
    if (!is.null(fit)) tell(this, fit, formula, if (reml) "--reml" else "--ml", name)
}

binomial_of <- function(case, right, data, name, link) {
    family <- binomial(link)
    formula <- as.formula(paste("cbind(hits, trials - hits) ~", right))
    fit <- attempt(case, if (grepl("|", right, fixed = TRUE)) glmer(formula, data, family, control = hits) else
        glm(formula, family, data, control = list(epsilon = 1e-14, maxit = 100),
            start = if (link == "log") c(-3, rep(0, ncol(model.matrix(as.formula(paste("~", right)), data)) - 1))))
    if (!is.null(fit)) tell(case, fit, paste("hits/trials ~", right), paste("--link", link), name)
}

write <- function(data, name) {
    write.csv(data, file.path(folder, name), row.names = FALSE, quote = FALSE)
    read.csv(file.path(folder, name), stringsAsFactors = TRUE)          # what both read
}

for (seed in seq_len(seeds)) {
    set.seed(seed)
    n <- sample(80:300, 1)
    g <- sample(6:25, 1)
    h <- sample(4:12, 1)
    deviation <- runif(2, 0.2, 1.5)
    data <- data.frame(x = round(rnorm(n), 4), f = sample(c("u", "v", "w"), n, TRUE),
                       a = paste0("a", sample(g, n, TRUE)), b = paste0("b", sample(h, n, TRUE)))
    data$inner <- paste0(data$a, "i", sample(3, n, TRUE))
    level <- function(of, deviation) {
        values <- sort(unique(of))
        rnorm(length(values), 0, deviation)[match(of, values)]
    }
    eta <- 0.4 * data$x + 0.5 * (data$f == "v")
    one <- level(data$a, deviation[1])
    two <- level(data$b, deviation[2])
    within <- level(data$inner, deviation[2])
    noise <- rnorm(n, 0, runif(1, 0.3, 2))
    data$y1 <- round(2 + eta + one + noise, 6)
    data$y2 <- round(2 + eta + one + two + noise, 6)
    data$y3 <- round(2 + eta + one + within + noise, 6)
    data$trials <- sample(1:12, n, TRUE)
    chance <- plogis(-0.5 + eta + one)
    data$hits <- rbinom(n, data$trials, chance)
    name <- paste0("seed", seed, ".csv")
    data <- write(data, name)
    case <- function(kind) paste0(kind, ".", seed)
    both(case("one"), "y1 ~ x + f + (1 | a)", data, name)
    both(case("crossed"), "y2 ~ x + f + (1 | a) + (1 | b)", data, name)
    both(case("nested"), "y3 ~ x + f + (1 | a/inner)", data, name)
    tell(case("lm"), lm(y1 ~ x * f, data), "y1 ~ x * f", "", name)
    binomial_of(case("logit"), "x + f + (1 | a)", data, name, "logit")
    binomial_of(case("logit2"), "x + f + (1 | a) + (1 | b)", data, name, "logit")
    binomial_of(case("logit3"), "x + (1 | a/inner)", data, name, "logit")
    binomial_of(case("glm"), "x + f", data, name, "logit")
    # chances that stay below 1, as the log link wants them
    rare <- data
    rare$hits <- rbinom(n, rare$trials, exp(pmin(-0.7, -2.2 + 0.3 * eta + 0.3 * one)))
    name <- paste0("rare", seed, ".csv")
    rare <- write(rare, name)
    binomial_of(case("log"), "x + f + (1 | a)", rare, name, "log")
    binomial_of(case("log2"), "x + (1 | a) + (1 | b)", rare, name, "log")
    binomial_of(case("glmlog"), "x + f", rare, name, "log")
}

# what R's packages bring
classic <- function(kind, formula, data) both(kind, formula, write(data, paste0(kind, ".csv")), paste0(kind, ".csv"))
classic("sleepstudy", "Reaction ~ Days + (1 | Subject)", sleepstudy)
classic("Dyestuff", "Yield ~ 1 + (1 | Batch)", Dyestuff)
classic("Dyestuff2", "Yield ~ 1 + (1 | Batch)", Dyestuff2)
classic("Penicillin", "diameter ~ 1 + (1 | plate) + (1 | sample)", Penicillin)
classic("Pastes", "strength ~ 1 + (1 | batch/cask)", Pastes)
cattle <- cbpp
names(cattle)[names(cattle) == "incidence"] <- "hits"
names(cattle)[names(cattle) == "size"] <- "trials"
cattle$period <- paste0("p", cattle$period)
cattle <- write(cattle, "cbpp.csv")
for (link in c("logit", "log")) binomial_of(paste0("cbpp.", link), "period + (1 | herd)", cattle, "cbpp.csv", link)

writeLines(unlist(cases), file.path(folder, "cases.tsv"))
writeLines(unlist(wanted), file.path(folder, "wanted.tsv"))
