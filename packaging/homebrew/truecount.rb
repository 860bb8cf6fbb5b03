class Truecount < Formula
  desc "How many positives are there? Prevalence from an imperfect classifier's scores"
  homepage "@ADDRESS@"
  url "@ADDRESS@/releases/download/v@VERSION@/truecount-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", "--profile", "dist", *std_cargo_args(path: "crates/truecount-cli")
    generate_completions_from_executable(bin/"truecount", "completions")
  end

  test do
    output = shell_output("#{bin}/truecount counts --positives 35 --tested 800 --sensitivity 90/100 --specificity 97%")
    assert_match "prevalence", output
  end
end
