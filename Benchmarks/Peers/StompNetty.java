import com.sun.management.OperatingSystemMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.stomp.StompFrame;
import io.netty.handler.codec.stomp.StompSubframeAggregator;
import io.netty.handler.codec.stomp.StompSubframeDecoder;
import io.netty.handler.codec.stomp.StompSubframeEncoder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Netty's STOMP codec: one task per line of standard input, answered by the nanoseconds of processor
 * time that it took. Garbage collection counts, as our allocations and releases do; compilation is
 * over after the rounds that warm up.
 */
public final class StompNetty {
    private static final int CHUNK = 1460;
    /** Passes in a round: the clock of a process ticks every ten milliseconds. */
    private static final int PASSES = 8;
    private static byte[] corpus;
    private static final List<StompFrame> frames = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        corpus = Files.readAllBytes(Paths.get(arguments[0]));
        decode(corpus.length, frame -> frames.add(frame.retain()));
        System.out.println("ready");
        OperatingSystemMXBean system =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        BufferedReader tasks = new BufferedReader(new InputStreamReader(System.in));
        for (String task; (task = tasks.readLine()) != null; ) {
            long start = system.getProcessCpuTime();
            int done = 0;
            for (int pass = 0; pass < PASSES; pass++) {
                done += run(task);
            }
            long time = system.getProcessCpuTime() - start;
            if (done != PASSES * frames.size()) {
                throw new IllegalStateException(done + " frames in " + PASSES + " passes");
            }
            System.out.println(time / PASSES);
        }
    }

    private static int run(String task) {
        switch (task) {
            case "decode": return decode(corpus.length, frame -> { });
            case "chunks": return decode(CHUNK, frame -> { });
            case "encode": return encode();
            default: throw new IllegalArgumentException(task);
        }
    }

    /** Decodes the corpus; each frame is handed over and dropped, as ours are. */
    private static int decode(int chunk, Consumer<StompFrame> consumer) {
        int[] done = {0};
        EmbeddedChannel channel = new EmbeddedChannel(
            new StompSubframeDecoder(),
            new StompSubframeAggregator(1 << 20),
            new SimpleChannelInboundHandler<StompFrame>() {
                @Override
                protected void channelRead0(ChannelHandlerContext context, StompFrame frame) {
                    done[0] += 1;
                    consumer.accept(frame);
                }
            });
        for (int start = 0; start < corpus.length; start += chunk) {
            int length = Math.min(chunk, corpus.length - start);
            channel.writeInbound(Unpooled.wrappedBuffer(corpus, start, length));
        }
        channel.finishAndReleaseAll();
        return done[0];
    }

    private static int encode() {
        EmbeddedChannel channel = new EmbeddedChannel(new StompSubframeEncoder());
        int done = 0;
        for (StompFrame frame : frames) {
            channel.writeOutbound(frame.retainedDuplicate());
            boolean wrote = false;
            for (ByteBuf part; (part = channel.readOutbound()) != null; ) {
                wrote = true;
                part.release();
            }
            if (wrote) {
                done += 1;
            }
        }
        channel.finishAndReleaseAll();
        return done;
    }
}
